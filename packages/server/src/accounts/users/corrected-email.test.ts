import { describe, expect, test } from 'vitest'
import { linkIn, mailsOf } from '../../../test/mails.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/* Attack: an ADMIN corrects the e-mail of a sign-up request. This must not prove a stranger's
   password. */

const app = useTestApp()

const email = 'vitima@exemplo.com.br'
const refusedApproval = { status: 409, body: { codigo: 'email_nao_confirmado' } }
const refusedLink = { status: 400, body: { codigo: 'link_invalido' } }

const confirm = (token: string, typed = password) =>
  app.anonymous.post('/login/confirmar-email', { token, password: typed })
const inspect = (token: string) => app.anonymous.post('/login/verificar-link', { token })
const linkOf = async (modelo: 'confirmacao' | 'recuperacao') =>
  linkIn((await mailsOf(app)).filter(({ mail }) => mail.modelo === modelo).at(-1))
const accounts = () => app.db.selectFrom('usuario').selectAll().where('emailUsuario', '=', email).execute()
const force = (idUsuario: number) =>
  app.db.updateTable('usuario').set({ situacao: 'ATIVO' }).where('idUsuario', '=', idUsuario).execute()
const asAdmin = async () => app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
/** Requests an account with the public form, without confirming its e-mail. */
const asked = async () => {
  const admin = await asAdmin()
  await app.anonymous.post('/faleconosco/', { nome: 'Nome Emprestado', email, password })
  const [account] = await accounts()
  if (!account) throw new Error('the sign-up form created no account')
  return { admin, idUsuario: account.idUsuario }
}

describe('an ADMIN who corrects the e-mail of an unproven account', () => {
  const corrected = 'outra@exemplo.com.br'
  const moved = () =>
    app.db.selectFrom('usuario').selectAll().where('emailUsuario', '=', corrected).executeTakeFirstOrThrow()

  test('an ADMIN who corrects the e-mail of an unproven account sends its link to the new address, keeps it unproven and voids the earlier links', async () => {
    const { admin, idUsuario } = await asked()
    const earlier = await linkOf('confirmacao')
    await app.anonymous.post('/login/recuperar-senha', { email })
    const recovery = await linkOf('recuperacao')
    const answer = await admin.put(`/usuarios/${idUsuario}`, { emailUsuario: corrected })
    expect(answer).toMatchObject({ status: 200, body: { emailComprovado: false, situacao: 'PENDENTE' } })
    for (const token of [earlier, recovery]) expect(await inspect(token)).toMatchObject(refusedLink)
    expect((await mailsOf(app)).at(-1)).toMatchObject({
      para: corrected,
      mail: { modelo: 'confirmacao', nome: 'Nome Emprestado', aguardaAprovacao: true },
    })
    expect(await admin.post(`/usuarios/${idUsuario}/aprovar`, {})).toMatchObject(refusedApproval)
    const token = await linkOf('confirmacao')
    // The owner of the corrected e-mail does not know the requester's password.
    expect((await confirm(token, 'Girassol de inverno 58')).status).toBe(422)
    expect((await confirm(token)).status).toBe(200)
    expect(await moved()).toMatchObject({ idUsuario, emailPorProvar: false })
  })

  test('an ADMIN who corrects the e-mail of an unproven account cannot activate it in the same change', async () => {
    const { admin, idUsuario } = await asked()
    const change = { emailUsuario: corrected, situacao: 'ATIVO' }
    expect(await admin.put(`/usuarios/${idUsuario}`, change)).toMatchObject(refusedApproval)
    expect(await accounts()).toMatchObject([{ situacao: 'PENDENTE', emailPorProvar: true }])
    expect(await mailsOf(app)).toHaveLength(1)
  })

  test('an ADMIN who corrects the e-mail of an unproven account keeps an active account unproven too, and sends it a link', async () => {
    const { admin, idUsuario } = await asked()
    await force(idUsuario)
    const { body } = await admin.put(`/usuarios/${idUsuario}`, { emailUsuario: corrected })
    expect(body).toMatchObject({ emailComprovado: false, situacao: 'ATIVO' })
    const link = { para: corrected, mail: { modelo: 'confirmacao', aguardaAprovacao: false } }
    expect(await mailsOf(app)).toContainEqual(
      expect.objectContaining({ ...link, mail: expect.objectContaining(link.mail) }),
    )
  })

  test('an ADMIN who corrects the e-mail of an unproven account sends no link to a blocked account, nor to one with a pending invitation', async () => {
    const { admin, idUsuario } = await asked()
    await admin.post(`/usuarios/${idUsuario}/convidar`, {})
    const links = async () => (await mailsOf(app)).filter(({ mail }) => mail.modelo === 'confirmacao').length
    const before = await links()
    await admin.put(`/usuarios/${idUsuario}`, { emailUsuario: corrected })
    expect(await moved()).toMatchObject({ emailPorProvar: true })
    const change = { emailUsuario: 'terceira@exemplo.com.br', situacao: 'BLOQUEADO' }
    expect((await admin.put(`/usuarios/${idUsuario}`, change)).status).toBe(200)
    expect(await links()).toBe(before)
  })
})

test('an e-mail typed by an ADMIN counts as proven for a new account and for one that was proven', async () => {
  const admin = await asAdmin()
  const created = await admin.post('/usuarios', {
    nomeUsuario: 'Pessoa',
    emailUsuario: email,
    senhaUsuario: 'Girassol de inverno 58',
  })
  expect(created.body).toMatchObject({ emailComprovado: true })
  const edit = { emailUsuario: 'editada@exemplo.com.br' }
  const edited = await admin.put(`/usuarios/${created.body.idUsuario}`, edit)
  expect(edited.body).toMatchObject({ ...edit, emailComprovado: true })
  expect((await mailsOf(app)).map(({ mail }) => mail.modelo)).not.toContain('confirmacao')
  const invited = await admin.post('/usuarios/convites', {
    nomeUsuario: 'Outra Pessoa',
    emailUsuario: 'convidada@exemplo.com.br',
  })
  expect(invited.body).toMatchObject({ emailComprovado: true })
})
