import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createKey } from '../../../../test/accounts/api-keys.ts'
import { countWaitingForLocks } from '../../../../test/database/waiting-for-locks.ts'
import { connectedScreen, createKiosk } from '../../../../test/distribution/kiosks.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createUser } from '../../../../test/users.ts'

/* The kind: calls that wait for one table hold every connection, so that all others fail. */

const isPostgres = process.env.TEST_DATABASE === 'postgres'

describe.runIf(isPostgres)('while a table is locked', { timeout: 60_000 }, () => {
  let app: TestApp
  let admin: Awaited<ReturnType<TestApp['as']>>
  let boss: Awaited<ReturnType<typeof createUser>>
  let holder: pg.Client
  beforeAll(async () => {
    app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' }, { alone: true })
    boss = await createUser(app, { tipoUsuario: 'ADMIN' })
    admin = await app.as(boss)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: app.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table responsavel in access exclusive mode')
    onTestFinished(() => holder.end())
  })

  const busy = expect.stringMatching(/em uso por outras operações.+não foi concluída/)
  const namesLike = async (pattern: string) => {
    const { rows } = await sql`select 1 from responsavel where nome_responsavel like ${pattern}`.execute(
      app.db,
    )
    return rows.length
  }

  test('writes are answered 503 in seconds, write nothing, and every other call is answered', async () => {
    const startedAt = performance.now()
    const writes = Array.from({ length: 30 }, (_, n) =>
      admin.post('/responsavel', { nomeResponsavel: `Preso ${n}` }),
    )
    await expect.poll(() => countWaitingForLocks(app.db)).toBeGreaterThan(3)
    // Other calls of the same moments, until the last write is answered.
    const others: number[] = []
    const slowest: number[] = []
    let isOver = false
    const reading = (async () => {
      while (!isOver) {
        const askedAt = performance.now()
        others.push((await admin.get('/perfis')).status)
        slowest.push(performance.now() - askedAt)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })()
    const answers = await Promise.all(writes)
    isOver = true
    await reading
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    for (const { status, headers, body } of answers) {
      expect([status, body.codigo, body.detail]).toEqual([503, 'servico_indisponivel', busy])
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(others.length).toBeGreaterThan(10)
    expect(new Set(others)).toEqual(new Set([200]))
    // A call that waits for the table takes five seconds.
    expect(Math.max(...slowest)).toBeLessThan(5_000)
    await holder.query('commit')
    expect(await namesLike('Preso %')).toBe(0)
    expect((await admin.post('/responsavel', { nomeResponsavel: 'Depois' })).status).toBe(201)
  })

  test('a write that waits for a moment is done', async () => {
    const write = admin.post('/responsavel', { nomeResponsavel: 'Espera' })
    await expect.poll(() => countWaitingForLocks(app.db)).toBe(1)
    await holder.query('commit')
    expect((await write).status).toBe(201)
  })

  test('/readyz says no while no connection is free, and yes afterwards', async () => {
    const readiness = async () => (await app.app.inject('/readyz')).statusCode
    const reads = Array.from({ length: 40 }, () =>
      sql`select 1 from responsavel`.execute(app.db).catch((error: { code?: string }) => error.code),
    )
    await expect.poll(() => app.services.db.pool?.().waiting).toBeGreaterThan(0)
    expect(await readiness()).toBe(503)
    await holder.query('commit')
    await Promise.all(reads)
    expect(await readiness()).toBe(200)
  })

  test('while a table is locked whose rows are only read, reads go on with sessions, API keys and kiosks', async () => {
    const { credencial } = await createKey(app, boss)
    const { idTelao } = await createKiosk(app, [])
    const screen = await connectedScreen(app, { idTelao, conectadaPor: boss.idUsuario })
    const withBearer = (bearer: string) => app.withHeaders({ authorization: `Bearer ${bearer}` })
    await holder.query('rollback; begin; lock table sessao, chave_api, telao_tela in share mode')
    // The last use of the session is due to be written.
    app.clock.offsetMs += 61_000
    const startedAt = performance.now()
    expect((await admin.get('/perfis')).status).toBe(200)
    expect((await withBearer(credencial).get('/usuarios/menus')).status).toBe(200)
    expect((await withBearer(screen).get('/telao/rotacao')).status).toBe(200)
    // Only the first of them waits for its table.
    expect(performance.now() - startedAt).toBeLessThan(9_000)
  })
})
