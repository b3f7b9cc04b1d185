import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { linkIn, mailsOf } from '../../../test/mails.ts'
import { type OidcProvider, startOidcProvider } from '../../../test/stand-ins/oidc-provider.ts'
import {
  auditOf,
  type Entrance,
  maria,
  publicUrl,
  redirectUri,
  signInAt,
} from '../../../test/stand-ins/oidc-sign-in.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { createLink } from '../credentials/account-links.ts'

/* The provider lets a person type any e-mail and does not verify it. */

let provider: OidcProvider
let at: Entrance
beforeAll(async () => {
  provider = await startOidcProvider({ redirectUris: [redirectUri] })
})
afterAll(() => provider.close())
const app = useTestApp(() => ({ PUBLIC_URL: publicUrl, ...provider.settings }))
beforeAll(async () => {
  at = signInAt(app, provider)
})
beforeEach(() => provider.people.clear())

const { email = '' } = maria
const attacker = { sub: 'atacante', name: 'Quem Pediu', email, email_verified: false }
const { email_verified: _, ...unsaid } = attacker
const waits = { status: 403, body: { codigo: 'conta_pendente' } }
const hour = 3_600_000

const identities = () =>
  app.db.selectFrom('identidadeExterna').select(['sujeito', 'semProva']).orderBy('sujeito').execute()
const account = () =>
  app.db.selectFrom('usuario').selectAll().where('emailUsuario', '=', email).executeTakeFirstOrThrow()
const asAdmin = async () => app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
const force = () => app.db.updateTable('usuario').set({ situacao: 'ATIVO' }).execute()
const linkOf = async (modelo: string) =>
  linkIn((await mailsOf(app)).filter(({ mail }) => mail.modelo === modelo).at(-1))
const inspect = (token: string) => app.anonymous.post('/login/verificar-link', { token })
const confirm = async () =>
  app.anonymous.post('/login/confirmar-email', { token: await linkOf('confirmacao') })
const setPassword = (token: string) =>
  app.anonymous.post('/login/redefinir-senha', { token, novaSenha: 'Girassol de inverno 58' })
/** The attacker's account, activated without a confirmed e-mail, and its open session. */
const approvedBefore = async () => {
  await at.enter(attacker)
  await force()
  const { access_token } = (await at.enter(attacker)).body
  const { idUsuario } = await account()
  return { idUsuario, session: app.withHeaders({ authorization: `Bearer ${access_token}` }) }
}

describe('an account of a provider that does not verify the e-mail', () => {
  test.each([
    ['says so', attacker],
    ['says nothing', unsaid],
  ])(
    'an account of a provider that does not verify the e-mail cannot be approved before the mailbox confirms; the provider %s',
    async (_name, person) => {
      const boss = await asAdmin()
      expect(await at.enter(person)).toMatchObject(waits)
      const { idUsuario } = await account()
      expect(await identities()).toEqual([{ sujeito: 'atacante', semProva: true }])
      expect((await boss.get(`/usuarios/${idUsuario}`)).body.emailComprovado).toBe(false)
      const refused = { status: 409, body: { codigo: 'email_nao_confirmado' } }
      expect(await boss.post(`/usuarios/${idUsuario}/aprovar`)).toMatchObject(refused)
      expect((await confirm()).status).toBe(200)
      expect((await boss.post(`/usuarios/${idUsuario}/aprovar`)).status).toBe(204)
      expect((await at.enter(person)).status).toBe(200)
    },
  )

  test('an account of a provider that does not verify the e-mail gets one link a day, however often the person signs in', async () => {
    for (let n = 0; n < 3; n += 1) await at.enter(attacker)
    expect(await mailsOf(app)).toHaveLength(1)
    app.clock.offsetMs = 25 * hour
    await at.enter(attacker)
    expect((await mailsOf(app)).map(({ para, mail }) => [para, mail.modelo])).toEqual(
      Array(2).fill([email, 'confirmacao']),
    )
  })

  test('an account of a provider that does not verify the e-mail is taken over by the sign-up form: the identity is unlinked and the typed password works', async () => {
    const boss = await asAdmin()
    await at.enter(attacker)
    const { idUsuario } = await account()
    const earlier = await linkOf('confirmacao')
    await giveSecondFactor(app, idUsuario)
    const draft = { nome: 'Dona do E-mail', email, password }
    expect((await app.anonymous.post('/faleconosco/', draft)).status).toBe(202)
    expect(await identities()).toEqual([])
    expect(await app.db.selectFrom('segundoFator').selectAll().execute()).toEqual([])
    expect(await account()).toMatchObject({ idUsuario, nomeUsuario: 'Dona do E-mail', emailPorProvar: true })
    expect((await auditOf(app, 'account.requested')).at(-1)).toMatchObject({
      objeto: `usuario:${idUsuario}`,
      detalhes: { jaExistia: true, identidades: [{ sujeito: 'atacante' }] },
    })
    const refused = { status: 403, body: { codigo: 'conta_nao_ligada' } }
    expect(await at.enter(attacker)).toMatchObject(refused)
    const confirmEmail = (token: string, typed?: string) =>
      app.anonymous.post('/login/confirmar-email', { token, password: typed })
    expect((await confirmEmail(earlier)).status).toBe(400)
    const token = await linkOf('confirmacao')
    expect((await inspect(token)).body).toMatchObject({ pedeSenha: true, provedor: null })
    expect((await confirmEmail(token)).status).toBe(422)
    expect((await confirmEmail(token, password)).status).toBe(200)
    expect((await boss.post(`/usuarios/${idUsuario}/aprovar`)).status).toBe(204)
    expect(await at.enter(attacker)).toMatchObject(refused)
    const signedIn = await app.anonymous.post('/usuarios/authorizer', { username: email, password })
    expect(signedIn.body).toMatchObject({ nome: 'Dona do E-mail' })
  })

  test('an account of a provider that does not verify the e-mail keeps its identity when the sign-up form repeats a proven e-mail', async () => {
    await at.enter(attacker)
    await confirm()
    const before = await account()
    await app.anonymous.post('/faleconosco/', { nome: 'Outra Pessoa', email, password })
    expect(await account()).toEqual(before)
    expect(await identities()).toEqual([{ sujeito: 'atacante', semProva: true }])
  })

  test('an account of a provider that does not verify the e-mail shows the provider and name that requested the confirmation', async () => {
    await at.enter(attacker)
    expect((await inspect(await linkOf('confirmacao'))).body).toMatchObject({
      nomeUsuario: 'Quem Pediu',
      pedeSenha: false,
      provedor: 'sua conta da empresa',
    })
  })

  test("an account of a provider that does not verify the e-mail loses the identity with “Enviar convite”, and the mailbox's owner sets the password", async () => {
    const boss = await asAdmin()
    await at.enter(attacker)
    const { idUsuario } = await account()
    expect((await boss.post(`/usuarios/${idUsuario}/convidar`)).body).toMatchObject({
      convitePendente: true,
      provedorDesde: null,
    })
    expect(await at.enter(attacker)).toMatchObject({ status: 403, body: { codigo: 'conta_nao_ligada' } })
    expect((await setPassword(await linkOf('convite'))).status).toBe(204)
    expect(await account()).toMatchObject({ emailPorProvar: false })
  })
})

describe("the mailbox's owner unlinks an identity that was linked without proof", () => {
  test.each(['recuperacao', 'convite'] as const)(
    "the mailbox's owner unlinks an identity that was linked without proof through an e-mailed link: %s",
    async (tipo) => {
      const { idUsuario, session } = await approvedBefore()
      await app.db.deleteFrom('mensagem').execute()
      expect((await setPassword(await createLink(app.db, app.services, { idUsuario, tipo }))).status).toBe(
        204,
      )
      expect(await identities()).toEqual([])
      expect((await session.get('/usuarios/sessao')).status).toBe(401)
      expect(await at.enter(attacker)).toMatchObject({ status: 403, body: { codigo: 'conta_nao_ligada' } })
      expect(await auditOf(app, 'account.unlinked')).toMatchObject([
        {
          idUsuario: null,
          objeto: `usuario:${idUsuario}`,
          detalhes: { identidades: [{ sujeito: 'atacante' }] },
        },
      ])
      expect(await mailsOf(app)).toMatchObject([{ para: email, mail: { modelo: 'identidade_retirada' } }])
    },
  )

  test("the mailbox's owner unlinks an identity that was linked without proof through a verified sign-in of another identity of the same provider", async () => {
    const { idUsuario, session } = await approvedBefore()
    const { status, body } = await at.enter(maria)
    expect([status, body.usuario_id]).toEqual([200, idUsuario])
    expect(await identities()).toEqual([{ sujeito: 'maria', semProva: false }])
    expect((await session.get('/usuarios/sessao')).status).toBe(401)
    expect(await at.enter(attacker)).toMatchObject({ status: 403, body: { codigo: 'conta_nao_ligada' } })
    expect(await account()).toMatchObject({ emailPorProvar: false })
    expect((await mailsOf(app)).at(-1)).toMatchObject({ mail: { modelo: 'identidade_retirada' } })
  })

  test("the mailbox's owner unlinks an identity that was linked without proof even after a confirmation, which a stranger may have requested", async () => {
    await at.enter(attacker)
    await confirm()
    await force()
    expect((await at.enter(attacker)).status).toBe(200)
    expect((await at.enter(maria)).status).toBe(200)
    expect(await identities()).toEqual([{ sujeito: 'maria', semProva: false }])
  })

  test.each([
    [
      'a recovery',
      async (idUsuario: number) =>
        setPassword(await createLink(app.db, app.services, { idUsuario, tipo: 'recuperacao' })),
    ],
    ['a verified sign-in', () => at.enter(maria)],
  ])(
    "the mailbox's owner unlinks an identity that was linked without proof with the password and second factor set after a confirmation: %s",
    async (_name, enter) => {
      await at.enter(attacker)
      await confirm()
      await force()
      const { access_token } = (await at.enter(attacker)).body
      const { idUsuario } = await account()
      const session = app.withHeaders({ authorization: `Bearer ${access_token}` })
      const change = await session.put(`/usuario/mudarsenha/${idUsuario}`, { senha: password })
      expect(change.status).toBe(204)
      await giveSecondFactor(app, idUsuario)
      await enter(idUsuario)
      expect(await app.db.selectFrom('segundoFator').selectAll().execute()).toEqual([])
      const signIn = await app.anonymous.post('/usuarios/authorizer', { username: email, password })
      expect(signIn.status).toBe(401)
      expect((await session.get('/usuarios/sessao')).status).toBe(401)
    },
  )

  test("the mailbox's owner unlinks no identity that was linked with proof, nor one of a blocked account", async () => {
    await createUser(app, { emailUsuario: email })
    await at.enter(maria)
    const { idUsuario } = await account()
    await setPassword(await createLink(app.db, app.services, { idUsuario, tipo: 'recuperacao' }))
    expect(await identities()).toEqual([{ sujeito: 'maria', semProva: false }])
    expect(await auditOf(app, 'account.unlinked')).toEqual([])
    await app.reset()
    await approvedBefore()
    await app.db.updateTable('usuario').set({ situacao: 'BLOQUEADO' }).execute()
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_bloqueada' } })
    expect(await identities()).toEqual([{ sujeito: 'atacante', semProva: true }])
  })
})

test('an identity becomes proven when the provider later verifies the same e-mail', async () => {
  const { idUsuario } = await approvedBefore()
  const other = { emissor: 'https://antes.exemplo', sujeito: 'x', ligadaEm: new Date(), semProva: true }
  await app.db
    .insertInto('identidadeExterna')
    .values({ ...other, idUsuario })
    .execute()
  // A verified e-mail other than the account's proves nothing about the account's.
  await at.enter({ ...attacker, email: 'outro@exemplo.com.br', email_verified: true })
  expect(await account()).toMatchObject({ emailPorProvar: true })
  expect((await at.enter({ ...attacker, email: email.toUpperCase(), email_verified: true })).status).toBe(200)
  expect(await account()).toMatchObject({ emailPorProvar: false })
  expect(await identities()).toEqual([{ sujeito: 'atacante', semProva: false }])
  expect(await auditOf(app, 'account.email-confirmed')).toMatchObject([
    { objeto: `usuario:${idUsuario}`, detalhes: { meio: 'provedor', sujeito: 'atacante' } },
  ])
})

test('without password sign-in the link still confirms, and invitations are refused', async () => {
  const portal = await startTestApp({
    PUBLIC_URL: publicUrl,
    ...provider.settings,
    PASSWORD_SIGN_IN: 'false',
  })
  try {
    const boss = await createUser(portal, { tipoUsuario: 'ADMIN', emailUsuario: 'chefe@exemplo.com.br' })
    const there = signInAt(portal, provider)
    const entered = await there.enter({ sub: 'chefe', email: boss.emailUsuario, email_verified: true })
    const admin = portal.withHeaders({ authorization: `Bearer ${entered.body.access_token}` })
    await there.enter(unsaid)
    const [waiting] = (await admin.get('/usuarios?situacao=PENDENTE')).body
    const refused = await admin.post(`/usuarios/${waiting.idUsuario}/aprovar`)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('OIDC_TRUST_EMAIL')])
    expect(await admin.post(`/usuarios/${waiting.idUsuario}/convidar`)).toMatchObject({
      status: 403,
      body: { codigo: 'senha_desativada' },
    })
    const token = linkIn((await mailsOf(portal)).at(-1))
    expect((await portal.anonymous.post('/login/verificar-link', { token })).body.tipo).toBe('confirmacao')
    expect((await portal.anonymous.post('/login/confirmar-email', { token })).status).toBe(200)
    expect((await admin.post(`/usuarios/${waiting.idUsuario}/aprovar`)).status).toBe(204)
  } finally {
    await portal.close()
  }
})

test('migration 0016 finds unproven accounts and identities through the audit trail', async () => {
  const { idUsuario } = await approvedBefore()
  await at.enter({ sub: 'certa', name: 'Certa', email: 'certa@exemplo.com.br', email_verified: true })
  await at.enter({ sub: 'provada', email: 'provada@exemplo.com.br', email_verified: false })
  await force()
  const { idUsuario: proven } = await app.db
    .selectFrom('usuario')
    .select('idUsuario')
    .where('emailUsuario', '=', 'provada@exemplo.com.br')
    .executeTakeFirstOrThrow()
  const audit = { action: 'password.changed', idUsuario: proven, subject: `usuario:${proven}` } as const
  await app.services.writeAudit(app.db, { ...audit, details: { meio: 'recuperacao' } })

  await app.db.updateTable('usuario').set({ emailPorProvar: false }).execute()
  await app.db.updateTable('identidadeExterna').set({ semProva: false }).execute()
  const file = new URL('../../../migrations/0016_proven_emails.sql', import.meta.url)
  const updates = (await readFile(file, 'utf8')).match(/^update [^;]*/gm) ?? []
  expect(updates).toHaveLength(2)
  for (const update of updates) await sql.raw(update).execute(app.db)
  const unproven = app.db.selectFrom('usuario').select('idUsuario').where('emailPorProvar', '=', true)
  expect(await unproven.execute()).toEqual([{ idUsuario }])
  expect(await identities()).toEqual([
    { sujeito: 'atacante', semProva: true },
    { sujeito: 'certa', semProva: false },
    { sujeito: 'provada', semProva: true },
  ])
})
