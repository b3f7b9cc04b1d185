import { describe, expect, test } from 'vitest'
import { codeNow, giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { countWaitingForLocks } from '../../../test/database/waiting-for-locks.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'

/* A user has at most 20 open sessions: the next sign-in ends the oldest and notifies the user. */

const app = useTestApp({ SESSION_IDLE_MINUTES: '60' })

const openSessionsOf = (idUsuario: number) =>
  app.db
    .selectFrom('sessao')
    .select('idSessao')
    .where('idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .execute()

/** Inserts sessions a second apart; the first is the oldest. */
const insertSessions = async (idUsuario: number, count: number, ageMs = 60_000) => {
  const start = Date.now() - ageMs
  const rows = Array.from({ length: count }, (_, n) => ({
    idSessao: crypto.randomUUID(),
    idUsuario,
    criadaEm: new Date(start + n * 1_000),
    ultimoUso: new Date(start + n * 1_000),
    expiraEm: new Date(Date.now() + 3_600_000),
    encerradaEm: null,
    dispositivo: null,
  }))
  await app.db.insertInto('sessao').values(rows).execute()
  return rows.map(({ idSessao }) => idSessao)
}

const linesOf = (idUsuario: number) =>
  app.db
    .selectFrom('auditoria')
    .select(['objeto', 'detalhes'])
    .where('acao', '=', 'session.revoked')
    .where('idUsuario', '=', idUsuario)
    .execute()

const noticesOf = (idUsuario: number) =>
  app.db.selectFrom('notificacao').select(['tipo', 'rota']).where('idUsuario', '=', idUsuario).execute()

describe('the 21st sign-in', () => {
  test('the 21st sign-in ends the oldest session, audits it and notifies the user once', async () => {
    const person = await createUser(app)
    const { idUsuario } = person
    const first = await app.as(person)
    for (let n = 1; n < 20; n += 1) await app.as(person)
    expect((await first.get('/usuarios/sessao')).status).toBe(200)
    expect(await linesOf(idUsuario)).toEqual([])

    const last = await app.as(person)
    const ended = await first.get('/usuarios/sessao')
    expect([ended.status, ended.body.codigo]).toEqual([401, 'sessao_encerrada'])
    expect((await last.get('/usuarios/sessao')).status).toBe(200)
    expect(await openSessionsOf(idUsuario)).toHaveLength(20)

    await app.as(person)
    expect(await openSessionsOf(idUsuario)).toHaveLength(20)
    const line = {
      objeto: `usuario:${idUsuario}`,
      detalhes: { sessoesEncerradas: 1, motivo: 'limite de 20' },
    }
    expect(await linesOf(idUsuario)).toEqual([line, line])
    // No second notification while the first one is unread.
    expect(await noticesOf(idUsuario)).toEqual([{ tipo: 'sessoes_encerradas', rota: '/meus-acessos' }])
  })

  test('the 21st sign-in does not count sessions that were ended, expired or idle for too long', async () => {
    const person = await createUser(app)
    await insertSessions(person.idUsuario, 30, 2 * 3_600_000)
    const live = await insertSessions(person.idUsuario, 19)
    await app.as(person)
    const open = (await openSessionsOf(person.idUsuario)).map(({ idSessao }) => idSessao)
    expect(open).toEqual(expect.arrayContaining(live))
    expect(await linesOf(person.idUsuario)).toEqual([])
  })

  test('the 21st sign-in reduces an account with more sessions to 20', async () => {
    const person = await createUser(app)
    const before = await insertSessions(person.idUsuario, 50)
    await app.as(person)
    const open = (await openSessionsOf(person.idUsuario)).map(({ idSessao }) => idSessao)
    expect(open).toHaveLength(20)
    expect(open).toEqual(expect.arrayContaining(before.slice(31)))
    expect(await linesOf(person.idUsuario)).toMatchObject([{ detalhes: { sessoesEncerradas: 31 } }])
  })

  test('the 21st sign-in with a second factor consumes its code once and ends the oldest session', async () => {
    const person = await createUser(app)
    const { secret } = await giveSecondFactor(app, person.idUsuario)
    const [oldest] = await insertSessions(person.idUsuario, 20)
    const { status } = await app.anonymous.post('/usuarios/authorizer', {
      username: person.emailUsuario,
      password,
      codigo: codeNow(app, secret),
    })
    expect(status).toBe(200)
    const open = (await openSessionsOf(person.idUsuario)).map(({ idSessao }) => idSessao)
    expect(open).toHaveLength(20)
    expect(open).not.toContain(oldest)
  })

  test("the 21st sign-in deletes the ended session's enrolment of a second factor, and no other", async () => {
    const isEnrolling = async (idUsuario: number) =>
      (await app.db.selectFrom('segundoFator').where('idUsuario', '=', idUsuario).execute()).length === 1
    const enrolling = await createUser(app)
    await insertSessions(enrolling.idUsuario, 1, 120_000)
    await giveSecondFactor(app, enrolling.idUsuario, { isPending: true })
    await insertSessions(enrolling.idUsuario, 18)
    await app.as(enrolling)
    expect(await isEnrolling(enrolling.idUsuario)).toBe(true)
    await app.as(enrolling)
    expect(await isEnrolling(enrolling.idUsuario)).toBe(false)

    const other = await createUser(app)
    await insertSessions(other.idUsuario, 20)
    await giveSecondFactor(app, other.idUsuario, { isPending: true })
    await app.as(other)
    expect(await isEnrolling(other.idUsuario)).toBe(true)
  })

  test("the 21st sign-in deletes the ended session's enrolment of another device, and keeps the active factor", async () => {
    const person = await createUser(app)
    const { idUsuario } = person
    const { secret } = await giveSecondFactor(app, idUsuario)
    const [oldest = ''] = await insertSessions(idUsuario, 20)
    const segredo = app.services.secrets.encrypt('JBSWY3DPEHPK3PXP')
    await app.db
      .insertInto('segundoFatorNovo')
      .values({ idUsuario, idSessao: oldest, segredo, criadoEm: new Date() })
      .execute()
    const { status } = await app.anonymous.post('/usuarios/authorizer', {
      username: person.emailUsuario,
      password,
      codigo: codeNow(app, secret),
    })
    expect(status).toBe(200)
    expect(await app.db.selectFrom('segundoFatorNovo').selectAll().execute()).toEqual([])
    expect(await app.db.selectFrom('segundoFator').select('ativoEm').execute()).toEqual([
      { ativoEm: expect.any(Date) },
    ])
  })

  // Only PostgreSQL has concurrent transactions.
  test.runIf(process.env.TEST_DATABASE === 'postgres')(
    'the 21st sign-in waits for a write of the session that it ends',
    async () => {
      const person = await createUser(app)
      const { idUsuario } = person
      await insertSessions(idUsuario, 20)
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
      const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
      // The lock that a write of a session holds.
      const writing = inTransaction(app.db, async (tx) => {
        await tx
          .selectFrom('usuario')
          .select('idUsuario')
          .where('idUsuario', '=', idUsuario)
          .forKeyShare()
          .execute()
        locked()
        await mayCommit
      })
      await isLocked
      const signedIn = app.as(person)
      await expect.poll(() => countWaitingForLocks(app.db), { timeout: 10_000 }).toBe(1)
      commit()
      await writing
      await signedIn
      expect(await openSessionsOf(idUsuario)).toHaveLength(20)
    },
  )

  test('the 21st sign-in ends no session when the password is wrong', async () => {
    const person = await createUser(app)
    await insertSessions(person.idUsuario, 20)
    const { status } = await app.anonymous.post('/usuarios/authorizer', {
      username: person.emailUsuario,
      password: 'errada',
    })
    expect(status).toBe(401)
    expect(await openSessionsOf(person.idUsuario)).toHaveLength(20)
    expect(await linesOf(person.idUsuario)).toEqual([])
  })
})

test('concurrent sign-ins of one user in several processes keep the limit of 20', async () => {
  const person = await createUser(app)
  await insertSessions(person.idUsuario, 18)
  const servers = [app.app, await app.anotherServer(), await app.anotherServer(), await app.anotherServer()]
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      (servers[n % servers.length] ?? app.app).inject({
        method: 'POST',
        url: '/api/usuarios/authorizer',
        payload: { username: person.emailUsuario, password },
      }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 200))
  expect(await openSessionsOf(person.idUsuario)).toHaveLength(20)
  expect(await noticesOf(person.idUsuario)).toHaveLength(1)
  await Promise.all(servers.slice(1).map((server) => server.close()))
})
