import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { mailsOf } from '../../../test/mails.ts'
import { type OidcProvider, startOidcProvider } from '../../../test/stand-ins/oidc-provider.ts'
import {
  auditOf,
  type Entrance,
  publicUrl,
  redirectUri,
  signInAt,
} from '../../../test/stand-ins/oidc-sign-in.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { createLink } from '../credentials/account-links.ts'

/* An account requested with another person's e-mail is approved; then the e-mail's owner signs
   in. */

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

const email = 'maria@exemplo.com.br'
const admin = async () => app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))

/** Activates the account directly: approval now requires a confirmed e-mail. */
const approve = (idUsuario: number) =>
  app.db.updateTable('usuario').set({ situacao: 'ATIVO' }).where('idUsuario', '=', idUsuario).execute()

/** Requests an account with the public form and approves it. */
const askedFor = async () => {
  const boss = await admin()
  await app.anonymous.post('/faleconosco/', { nome: 'Quem Pediu', email, password })
  const { body } = await boss.get('/usuarios?situacao=PENDENTE')
  const { idUsuario } = body[0]
  await approve(idUsuario)
  await app.db.deleteFrom('mensagem').execute()
  return { boss, idUsuario: idUsuario as number }
}
const signIn = () => app.anonymous.post('/usuarios/authorizer', { username: email, password })
const account = (idUsuario: number) =>
  app.db
    .selectFrom('usuario')
    .select(['senhaHash', 'emailPorProvar'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirstOrThrow()

test('an owner who proves the e-mail revokes the credentials of an unproven sign-up', async () => {
  const { idUsuario } = await askedFor()
  const { access_token } = (await signIn()).body
  const squatter = app.withHeaders({ authorization: `Bearer ${access_token}` })
  await giveSecondFactor(app, idUsuario)

  const { status, body } = await at.enter()
  expect([status, body.usuario_id]).toEqual([200, idUsuario])
  expect((await squatter.get('/usuarios/sessao')).status).toBe(401)
  expect(await signIn()).toMatchObject({ status: 401, body: { codigo: 'credenciais_invalidas' } })
  expect(await account(idUsuario)).toEqual({ senhaHash: null, emailPorProvar: false })
  expect(await app.db.selectFrom('segundoFator').selectAll().execute()).toEqual([])
  const owner = app.withHeaders({ authorization: `Bearer ${body.access_token}` })
  expect((await owner.get('/usuarios/sessao')).body).toMatchObject({ temSenha: false })

  expect(await auditOf(app, 'account.linked')).toMatchObject([
    { idUsuario, detalhes: { senhaRetirada: true, segundoFatorRetirado: true, sessoesEncerradas: 1 } },
  ])
  expect(await mailsOf(app)).toMatchObject([{ para: email, mail: { modelo: 'senha_retirada' } }])
  const bell = await app.db
    .selectFrom('notificacao')
    .select('titulo')
    .where('idUsuario', '=', idUsuario)
    .execute()
  expect(bell).toEqual([{ titulo: 'Senha retirada' }])
})

describe('the recovery of an account with an unproven e-mail', () => {
  const novaSenha = 'Girassol de inverno 58'
  const recover = async (idUsuario: number) => {
    const token = await createLink(app.db, app.services, { idUsuario, tipo: 'recuperacao' })
    return app.anonymous.post('/login/redefinir-senha', { token, novaSenha })
  }
  const factors = () => app.db.selectFrom('segundoFator').selectAll().execute()
  const signInAnew = () =>
    app.anonymous.post('/usuarios/authorizer', { username: email, password: novaSenha })

  test.each([
    ['an active second factor and its pending replacement', false],
    ['an enrolment that waits for its first code', true],
  ])(
    "the recovery of an account with an unproven e-mail removes the requester's second factor and ends their sessions: %s",
    async (_name, isPending) => {
      const { idUsuario } = await askedFor()
      const { access_token } = (await signIn()).body
      const squatter = app.withHeaders({ authorization: `Bearer ${access_token}` })
      await giveSecondFactor(app, idUsuario, { isPending })
      if (!isPending) {
        const next = { segredo: app.services.secrets.encrypt('outro'), criadoEm: new Date() }
        await app.db
          .insertInto('segundoFatorNovo')
          .values({ ...next, idUsuario })
          .execute()
      }
      expect((await recover(idUsuario)).status).toBe(204)
      expect(await factors()).toEqual([])
      expect(await app.db.selectFrom('segundoFatorNovo').selectAll().execute()).toEqual([])
      expect((await squatter.get('/usuarios/sessao')).status).toBe(401)
      expect((await signInAnew()).status).toBe(200)
      expect((await auditOf(app, 'password.changed')).at(-1)).toMatchObject({
        detalhes: { meio: 'recuperacao', segundoFatorRetirado: true, sessoesEncerradas: 1 },
      })
      const bells = await app.db
        .selectFrom('notificacao')
        .select('titulo')
        .where('idUsuario', '=', idUsuario)
        .where('tipo', '=', 'segundo_fator_alterado')
        .execute()
      expect(bells).toEqual([{ titulo: 'Segundo fator retirado' }])
    },
  )

  test('the recovery keeps the second factor of an account with a proven e-mail', async () => {
    const { idUsuario } = await askedFor()
    await recover(idUsuario)
    await giveSecondFactor(app, idUsuario)
    const token = await createLink(app.db, app.services, { idUsuario, tipo: 'recuperacao' })
    const again = { token, novaSenha: 'Moinho de vento azul 7' }
    expect((await app.anonymous.post('/login/redefinir-senha', again)).status).toBe(204)
    expect(await factors()).toHaveLength(1)
  })
})

test('a password that the requester changed without an e-mail is revoked too', async () => {
  const { idUsuario } = await askedFor()
  const changed = await app.anonymous.post('/login/RecoveryPassword', {
    loginUsuario: email,
    senhaAtual: password,
    novaSenha: 'Girassol de inverno 58',
  })
  expect(changed.status).toBe(204)
  expect((await at.enter()).status).toBe(200)
  expect((await account(idUsuario)).senhaHash).toBeNull()
})

test('migration 0004 finds unproven accounts through the audit trail', async () => {
  const { boss, idUsuario } = await askedFor()
  const askAgain = async (name: string) => {
    const address = `${name}@exemplo.com.br`
    await app.anonymous.post('/faleconosco/', { nome: name, email: address, password })
    const { body } = await boss.get(`/usuarios?busca=${name}`)
    await approve(body[0].idUsuario)
    return body[0]
  }
  const [proven, typed] = [await askAgain('Provada'), await askAgain('Digitada')]
  const link = { idUsuario: proven.idUsuario, tipo: 'recuperacao' } as const
  const token = await createLink(app.db, app.services, link)
  await app.anonymous.post('/login/redefinir-senha', { token, novaSenha: 'Girassol de inverno 58' })
  await boss.put(`/usuarios/${typed.idUsuario}`, {
    ...typed,
    situacao: 'ATIVO',
    emailUsuario: 'd@exemplo.com.br',
  })
  await at.enter({ sub: 'nova', email: 'nova@exemplo.com.br', email_verified: true })

  await app.db.updateTable('usuario').set({ emailPorProvar: false }).execute()
  const migration = await readFile(new URL('../../../migrations/0004_proofs.sql', import.meta.url), 'utf8')
  const [update = ''] = /^update usuario [^;]*/m.exec(migration) ?? []
  await sql.raw(update).execute(app.db)
  const rows = await app.db
    .selectFrom('usuario')
    .select('idUsuario')
    .where('emailPorProvar', '=', true)
    .execute()
  expect(rows).toEqual([{ idUsuario }])
})

describe('linking keeps the password when', () => {
  test.each(['recuperacao', 'convite'] as const)(
    'linking keeps the password when a link by e-mail was used: %s',
    async (tipo) => {
      const { idUsuario } = await askedFor()
      const token = await createLink(app.db, app.services, { idUsuario, tipo })
      await app.anonymous.post('/login/redefinir-senha', { token, novaSenha: 'Girassol de inverno 58' })
      expect((await account(idUsuario)).emailPorProvar).toBe(false)
      expect((await at.enter()).status).toBe(200)
      expect((await account(idUsuario)).senhaHash).not.toBeNull()
      expect((await auditOf(app, 'account.linked'))[0]?.detalhes).not.toHaveProperty('senhaRetirada')
    },
  )

  test('linking keeps the password when an administrator created the account, which no edit of an unproven account equals', async () => {
    const { boss, idUsuario } = await askedFor()
    const { body } = await boss.get(`/usuarios/${idUsuario}`)
    await boss.put(`/usuarios/${idUsuario}`, { ...body, nomeUsuario: 'Outro Nome' })
    expect((await account(idUsuario)).emailPorProvar).toBe(true)
    await boss.put(`/usuarios/${idUsuario}`, { ...body, emailUsuario: 'm.jose@exemplo.com.br' })
    expect((await account(idUsuario)).emailPorProvar).toBe(true)
    const created = await boss.post('/usuarios', {
      nomeUsuario: 'Maria José',
      emailUsuario: email,
      senhaUsuario: 'Girassol de inverno 58',
    })
    expect((await at.enter()).body.usuario_id).toBe(created.body.idUsuario)
    expect((await account(created.body.idUsuario)).senhaHash).not.toBeNull()
    expect((await mailsOf(app)).map(({ mail }) => mail.modelo)).not.toContain('senha_retirada')
  })

  test('linking keeps the password when the provider does not confirm the e-mail', async () => {
    const { idUsuario } = await askedFor()
    const enter = at.enter({ sub: 'outra', email, email_verified: false })
    expect(await enter).toMatchObject({ status: 403, body: { codigo: 'conta_nao_ligada' } })
    expect(await account(idUsuario)).toMatchObject({ emailPorProvar: true })
    expect((await signIn()).status).toBe(200)
  })
})
