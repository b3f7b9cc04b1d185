import { usersApi } from '@bi-manager/contract'
import { signedInClient } from './api.ts'
import { type Person, people } from './people.ts'

const first = 'Girassol de inverno 58'

interface Rights {
  tipoUsuario?: 'ADMIN'
  acessoProntuario?: boolean
  encarregadoDados?: boolean
}

/** Creates a person for one journey, who has already changed the initial password. */
export const createPerson = async (
  portal: string,
  name: string,
  email: string,
  rights?: Rights,
  admin: Person = people.admin,
) => {
  const person: Person = { name, email, password: 'mesa azul janela' }
  const { call } = await signedInClient(portal, admin)
  const { idUsuario } = await call(usersApi.create, {
    body: { nomeUsuario: name, emailUsuario: email, senhaUsuario: first },
  })
  const params = { id: idUsuario }
  if (rights) await call(usersApi.update, { params, body: rights })
  const { status } = await fetch(`${portal}/api/login/RecoveryPassword`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ loginUsuario: email, senhaAtual: first, novaSenha: person.password }),
  })
  if (status !== 204) throw new Error(`changing the password answered ${status}`)
  return { ...person, idUsuario, remove: () => call(usersApi.remove, { params }) }
}
