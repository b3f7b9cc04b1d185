import { describe, expect, test } from 'vitest'
import { giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { linkIn, mailsOf } from '../../../test/mails.ts'
import { grantReport } from '../../../test/reports.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser, password } from '../../../test/users.ts'

/* Attack: a person requests an account with another person's e-mail and a password of their own,
   to read the rows of the e-mail's owner. */

const { suite, publish, issuedLines } = embeddingSuite()
const email = 'vitima@exemplo.com.br'
const anonymous = () => suite.app.anonymous

const signUp = (fields = {}) =>
  anonymous().post('/faleconosco/', { nome: 'Nome Emprestado', email, password, ...fields })
const signIn = (typed = password) =>
  anonymous().post('/usuarios/authorizer', { username: email, password: typed })
const accounts = () =>
  suite.app.db.selectFrom('usuario').selectAll().where('emailUsuario', '=', email).execute()
const auditOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()
const confirm = (token: string, typed = password) =>
  anonymous().post('/login/confirmar-email', { token, password: typed })
const disown = (token: string) => anonymous().post('/login/recusar-cadastro', { token })
const inspect = (token: string) => anonymous().post('/login/verificar-link', { token })
const linkOf = async (modelo: 'confirmacao' | 'convite', at = -1) =>
  linkIn((await mailsOf(suite.app)).filter(({ mail }) => mail.modelo === modelo).at(at))

const asAdmin = async () => suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
/** Requests an account with the public form, without confirming its e-mail. */
const asked = async () => {
  const admin = await asAdmin()
  await signUp()
  const [account] = await accounts()
  if (!account) throw new Error('the sign-up form created no account')
  return { admin, idUsuario: account.idUsuario }
}
const force = (idUsuario: number) =>
  suite.app.db.updateTable('usuario').set({ situacao: 'ATIVO' }).where('idUsuario', '=', idUsuario).execute()

const refusedApproval = { status: 409, body: { codigo: 'email_nao_confirmado' } }
const refusedLink = { status: 400, body: { codigo: 'link_invalido' } }

describe('an account with an unproven e-mail', () => {
  test('an account with an unproven e-mail cannot be activated by approval, by an edit, or after a block', async () => {
    const { admin, idUsuario } = await asked()
    expect(await admin.post(`/usuarios/${idUsuario}/aprovar`, {})).toMatchObject(refusedApproval)
    expect(await admin.put(`/usuarios/${idUsuario}`, { situacao: 'ATIVO' })).toMatchObject(refusedApproval)
    expect((await admin.put(`/usuarios/${idUsuario}`, { situacao: 'BLOQUEADO' })).status).toBe(200)
    expect(await admin.put(`/usuarios/${idUsuario}`, { situacao: 'ATIVO' })).toMatchObject(refusedApproval)
    expect((await signIn()).status).toBe(401)
    expect(await auditOf('account.approved')).toEqual([])
    expect((await admin.get(`/usuarios/${idUsuario}`)).body).toMatchObject({
      emailComprovado: false,
      situacao: 'BLOQUEADO',
    })
  })

  test('an account with an unproven e-mail gets no embed token and no export with its e-mail, whatever its customData', async () => {
    const { idUsuario } = await asked()
    await force(idUsuario)
    const { report, address } = await publish({ papeisRls: ['Operadora'] })
    const plain = await publish()
    for (const { idRelatorio } of [report, plain.report]) await grantReport(suite.app, idUsuario, idRelatorio)
    const { access_token } = (await signIn()).body
    const attacker = suite.app.withHeaders({ authorization: `Bearer ${access_token}` })
    const refused = { status: 403, body: { codigo: 'identidade_nao_confirmada' } }
    for (const identidadeRls of [null, 'operadora-7']) {
      await suite.app.db.updateTable('usuario').set({ identidadeRls }).execute()
      expect(await attacker.post('/usuarios/relatorio/embed', address)).toMatchObject(refused)
      const exported = await attacker.post(`/usuarios/relatorio/${report.idRelatorio}/exportacao`, {
        formato: 'PDF',
      })
      expect(exported).toMatchObject(refused)
    }
    expect(await issuedLines()).toEqual([])
    expect(JSON.stringify(suite.provider.seen)).not.toContain(email)
    // A report without row-level security needs no identity.
    expect((await attacker.post('/usuarios/relatorio/embed', plain.address)).status).toBe(200)
    expect(await auditOf('access.refused')).toMatchObject([
      { idUsuario, detalhes: { codigo: 'identidade_nao_confirmada' } },
      { idUsuario, detalhes: { codigo: 'identidade_nao_confirmada' } },
    ])
  })

  test('an account with an unproven e-mail gets the token in an open session as soon as the e-mail is proven', async () => {
    const { idUsuario } = await asked()
    await force(idUsuario)
    const { report, address } = await publish({ papeisRls: ['Operadora'] })
    await grantReport(suite.app, idUsuario, report.idRelatorio)
    const { access_token } = (await signIn()).body
    const person = suite.app.withHeaders({ authorization: `Bearer ${access_token}` })
    expect((await person.post('/usuarios/relatorio/embed', address)).status).toBe(403)
    expect(await confirm(await linkOf('confirmacao'))).toMatchObject({
      status: 200,
      body: { mensagem: 'E-mail confirmado.' },
    })
    expect((await person.post('/usuarios/relatorio/embed', address)).status).toBe(200)
    expect(await issuedLines()).toMatchObject([{ detalhes: { identidade: { username: email } } }])
  })

  test('an account with an unproven e-mail is explained to the ADMIN, and can be listed', async () => {
    const { admin, idUsuario } = await asked()
    await force(idUsuario)
    const { report } = await publish({ papeisRls: ['Operadora'] })
    const plain = await publish()
    for (const { idRelatorio } of [report, plain.report]) await grantReport(suite.app, idUsuario, idRelatorio)
    const { body } = await admin.get(`/usuarios/${idUsuario}/acesso/${report.idRelatorio}`)
    expect(body).toMatchObject({
      pode: false,
      emailComprovado: false,
      faltas: [expect.stringContaining('O e-mail da pessoa não está confirmado')],
    })
    const other = await admin.get(`/usuarios/${idUsuario}/acesso/${plain.report.idRelatorio}`)
    expect(other.body).toMatchObject({ pode: true, emailComprovado: false, faltas: [] })
    const listed = await admin.get('/usuarios?emailComprovado=false')
    expect(listed.body).toMatchObject([{ idUsuario, emailComprovado: false }])
    expect((await admin.get('/usuarios?emailComprovado=true')).body).toHaveLength(1)
    const csv = String((await admin.get('/usuarios.csv?emailComprovado=false')).body)
    expect(csv).toContain('E-mail confirmado')
  })
})

describe('the link of a sign-up request', () => {
  test('the link of a sign-up request names the requester, confirms by POST only, opens no session and allows the approval', async () => {
    const { admin, idUsuario } = await asked()
    expect(await mailsOf(suite.app)).toEqual([
      {
        para: email,
        mail: {
          modelo: 'confirmacao',
          nome: 'Nome Emprestado',
          link: expect.stringMatching(/^http:\/\/localhost:3000\/confirmar-email\?token=[\w-]{43}$/),
          dias: 7,
          aguardaAprovacao: true,
        },
      },
    ])
    const token = await linkOf('confirmacao')
    expect((await inspect(token)).body).toMatchObject({
      tipo: 'confirmacao',
      nomeUsuario: 'Nome Emprestado',
      emailUsuario: email,
      aguardaAprovacao: true,
    })
    expect(await accounts()).toMatchObject([{ emailPorProvar: true }])
    const confirmed = await confirm(token)
    expect([confirmed.status, Object.keys(confirmed.body)]).toEqual([200, ['mensagem']])
    expect(confirmed.body.mensagem).toContain('Aguarde a aprovação')
    expect(confirmed.headers['set-cookie']).toBeUndefined()
    expect(await accounts()).toMatchObject([{ emailPorProvar: false, situacao: 'PENDENTE' }])
    expect((await signIn()).status).toBe(401)
    for (const call of [confirm, inspect, disown]) expect(await call(token)).toMatchObject(refusedLink)
    expect(await auditOf('account.email-confirmed')).toMatchObject([
      { idUsuario: null, objeto: `usuario:${idUsuario}`, detalhes: { meio: 'link' } },
    ])
    expect((await admin.post(`/usuarios/${idUsuario}/aprovar`, {})).status).toBe(204)
    expect((await signIn()).status).toBe(200)
  })

  test('the link of a sign-up request deletes the request on “Não fui eu”, which frees the e-mail', async () => {
    const { idUsuario } = await asked()
    expect((await disown(await linkOf('confirmacao'))).status).toBe(204)
    expect(await accounts()).toEqual([])
    expect(await auditOf('account.disowned')).toMatchObject([
      { idUsuario: null, objeto: `usuario:${idUsuario}`, detalhes: { antes: { emailUsuario: email } } },
    ])
    const bells = suite.app.db.selectFrom('notificacao').selectAll().where('lidaEm', 'is', null).execute()
    expect(await bells).toEqual([])
    await signUp({ nome: 'Dona do E-mail' })
    expect(await accounts()).toMatchObject([{ nomeUsuario: 'Dona do E-mail', emailPorProvar: true }])
  })

  test('the link of a sign-up request does not delete an approved account on “Não fui eu”', async () => {
    const { idUsuario } = await asked()
    await force(idUsuario)
    const token = await linkOf('confirmacao')
    expect(await disown(token)).toMatchObject({ status: 409, body: { codigo: 'conta_nao_pendente' } })
    expect((await inspect(token)).body).toMatchObject({ aguardaAprovacao: false })
    expect(await accounts()).toHaveLength(1)
  })

  test('the link of a sign-up request sets no password, and a password link confirms no request', async () => {
    const { admin, idUsuario } = await asked()
    const token = await linkOf('confirmacao')
    const reset = (link: string) =>
      anonymous().post('/login/redefinir-senha', { token: link, novaSenha: 'Girassol de inverno 58' })
    expect(await reset(token)).toMatchObject(refusedLink)
    await admin.post(`/usuarios/${idUsuario}/convidar`, {})
    const invitation = await linkOf('convite')
    for (const call of [confirm, disown]) expect(await call(invitation)).toMatchObject(refusedLink)
    expect((await inspect(invitation)).status).toBe(200)
    // The invitation has voided the earlier link.
    expect(await confirm(token)).toMatchObject(refusedLink)
  })

  test('the link of a sign-up request expires after seven days, and when the ADMIN decides', async () => {
    await asked()
    suite.app.clock.offsetMs = 7 * 24 * 3_600_000 + 1_000
    expect(await confirm(await linkOf('confirmacao'))).toMatchObject(refusedLink)
    await signUp()
    const admin = await asAdmin()
    const [account] = await accounts()
    await admin.put(`/usuarios/${account?.idUsuario}`, { situacao: 'BLOQUEADO' })
    expect(await confirm(await linkOf('confirmacao'))).toMatchObject(refusedLink)
  })

  test('the link of a sign-up request confirms only once for concurrent calls', async () => {
    await asked()
    const token = await linkOf('confirmacao')
    const answers = await Promise.all([confirm(token), confirm(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('a second request with the same e-mail', () => {
  const minute = 60_000

  test('a second request with the same e-mail changes nothing and sends nothing within five minutes', async () => {
    await asked()
    const first = await linkOf('confirmacao')
    const before = await accounts()
    await signUp({ nome: 'Dona do E-mail', password: 'Girassol de inverno 58' })
    expect(await accounts()).toEqual(before)
    expect(await mailsOf(suite.app)).toHaveLength(1)
    expect((await inspect(first)).status).toBe(200)
  })

  test('a second request with the same e-mail replaces name, password and link after five minutes: only the newest request can be confirmed', async () => {
    const { admin, idUsuario } = await asked()
    const first = await linkOf('confirmacao')
    suite.app.clock.offsetMs = 6 * minute
    await signUp({ nome: 'Dona do E-mail', password: 'Girassol de inverno 58' })
    expect(await confirm(first)).toMatchObject(refusedLink)
    expect((await confirm(await linkOf('confirmacao'), 'Girassol de inverno 58')).status).toBe(200)
    await admin.post(`/usuarios/${idUsuario}/aprovar`, {})
    expect((await signIn()).status).toBe(401)
    expect(await signIn('Girassol de inverno 58')).toMatchObject({
      status: 200,
      body: { nome: 'Dona do E-mail' },
    })
    expect(await auditOf('account.requested')).toMatchObject([
      { detalhes: { nomeUsuario: 'Nome Emprestado' } },
      { objeto: `usuario:${idUsuario}`, detalhes: { jaExistia: true, nomeUsuario: 'Dona do E-mail' } },
    ])
  })

  test('a second request with the same e-mail changes nothing once the e-mail is confirmed', async () => {
    await asked()
    await confirm(await linkOf('confirmacao'))
    const before = await accounts()
    suite.app.clock.offsetMs = 6 * minute
    await signUp({ nome: 'Nome Emprestado', password: 'Girassol de inverno 58' })
    expect(await accounts()).toEqual(before)
    expect(await mailsOf(suite.app)).toHaveLength(1)
  })
})

describe('“Enviar convite”', () => {
  test("“Enviar convite” removes the requester's password, and its link proves the e-mail", async () => {
    const { admin, idUsuario } = await asked()
    const { idPerfil } = (await admin.post('/perfis', { nomePerfil: 'Diretoria' })).body
    const { status, body } = await admin.post(`/usuarios/${idUsuario}/convidar`, {
      tipoUsuario: 'ADMIN',
      idPerfis: [idPerfil],
    })
    expect([status, body]).toMatchObject([
      202,
      { idUsuario, situacao: 'ATIVO', tipoUsuario: 'ADMIN', convitePendente: true, emailComprovado: false },
    ])
    expect((await signIn()).status).toBe(401)
    expect(await auditOf('account.invited')).toMatchObject([
      { objeto: `usuario:${idUsuario}`, detalhes: { senhaRetirada: true, tipoUsuario: 'ADMIN' } },
    ])
    expect(
      await suite.app.db.selectFrom('perfilUsuario').select(['idPerfil', 'idUsuario']).execute(),
    ).toEqual([{ idPerfil, idUsuario }])
    const token = await linkOf('convite')
    const novaSenha = 'Girassol de inverno 58'
    expect((await anonymous().post('/login/redefinir-senha', { token, novaSenha })).status).toBe(204)
    expect((await signIn()).status).toBe(401)
    expect((await signIn(novaSenha)).body).toMatchObject({ tipo: 'ADMIN' })
    expect((await admin.get(`/usuarios/${idUsuario}`)).body).toMatchObject({
      emailComprovado: true,
      convitePendente: false,
    })
  })

  test('“Enviar convite” revokes access of an account approved without proof, and keeps its type and profiles', async () => {
    const { admin, idUsuario } = await asked()
    await force(idUsuario)
    await giveSecondFactor(suite.app, idUsuario)
    await suite.app.db.updateTable('usuario').set({ tipoUsuario: 'ADMIN' }).execute()
    const sessions = () => suite.app.db.selectFrom('sessao').select('encerradaEm').execute()
    const { body } = await admin.post(`/usuarios/${idUsuario}/convidar`, {})
    expect(body).toMatchObject({ situacao: 'ATIVO', tipoUsuario: 'ADMIN', segundoFator: false })
    expect(await accounts()).toMatchObject([{ senhaHash: null }])
    expect(await sessions()).toHaveLength(1)
    expect((await signIn()).status).toBe(401)
    // The first invitation got lost, so the ADMIN sends another.
    expect((await admin.post(`/usuarios/${idUsuario}/convidar`)).status).toBe(202)
    expect((await inspect(await linkOf('convite', 0))).status).toBe(400)
    expect((await inspect(await linkOf('convite'))).status).toBe(200)
  })

  test("“Enviar convite” is refused for a confirmed e-mail, the caller's own account and an unknown account", async () => {
    const { admin, idUsuario } = await asked()
    await confirm(await linkOf('confirmacao'))
    const id = admin.signedIn.usuario_id
    for (const [target, status, codigo] of [
      [idUsuario, 409, 'email_ja_confirmado'],
      [id, 409, 'propria_conta'],
      [999_999, 404, 'nao_encontrado'],
    ] as const) {
      const answer = await admin.post(`/usuarios/${target}/convidar`, {})
      expect([answer.status, answer.body.codigo]).toEqual([status, codigo])
    }
    expect(await accounts()).toMatchObject([{ senhaHash: expect.any(String) }])
  })
})

test('an ADMIN who only changes the letter case of the e-mail proves nothing', async () => {
  const { admin, idUsuario } = await asked()
  const changed = await admin.put(`/usuarios/${idUsuario}`, { emailUsuario: email.toUpperCase() })
  expect(changed.body).toMatchObject({ emailComprovado: false })
  expect((await admin.post(`/usuarios/${idUsuario}/aprovar`, {})).status).toBe(409)
})
