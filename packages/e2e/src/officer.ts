import { usersApi } from '@bi-manager/contract'
import { signedInClient } from './api.ts'
import { type Person, people } from './people.ts'

const first = 'Girassol de inverno 58'

/** A data protection officer with access to medical records, who has chosen a password of their own. */
export const createOfficer = async (portal: string, name: string, email: string) => {
  const officer: Person = { name, email, password: 'mesa azul janela' }
  const { call } = await signedInClient(portal, people.admin)
  const { idUsuario } = await call(usersApi.create, {
    body: { nomeUsuario: name, emailUsuario: email, senhaUsuario: first },
  })
  const params = { id: idUsuario }
  await call(usersApi.update, { params, body: { acessoProntuario: true, encarregadoDados: true } })
  const { status } = await fetch(`${portal}/api/login/RecoveryPassword`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ loginUsuario: email, senhaAtual: first, novaSenha: officer.password }),
  })
  if (status !== 204) throw new Error(`the new password was answered ${status}`)
  return { ...officer, remove: () => call(usersApi.remove, { params }) }
}
