import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../../../test/accounts/api-keys.ts'
import { connectedScreen, createKiosk } from '../../../../test/distribution/kiosks.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createUser } from '../../../../test/users.ts'

/*
 * A standby that is not promoted refuses writes as a database with read-only transactions does
 * (25006). three-nodes.long.ts promotes a real one.
 */

const isPostgres = process.env.TEST_DATABASE === 'postgres'

describe.runIf(isPostgres)('a read-only PostgreSQL database', () => {
  let app: TestApp
  let admin: Awaited<ReturnType<TestApp['as']>>
  let boss: Awaited<ReturnType<typeof createUser>>
  let outside: pg.Client
  beforeAll(async () => {
    app = await startTestApp({}, { alone: true })
    boss = await createUser(app, { tipoUsuario: 'ADMIN' })
    admin = await app.as(boss)
    outside = new pg.Client({ connectionString: app.databaseUrl })
    await outside.connect()
    await outside.query('set default_transaction_read_only = off')
  })
  afterAll(async () => {
    await outside.end()
    await app.close()
  })

  const write = (nomeResponsavel: string) => admin.post('/responsavel', { nomeResponsavel })
  const readiness = async () => (await app.app.inject('/readyz')).statusCode

  /** Applies to connections opened from now on. */
  const setReadOnly = async (value: 'on' | 'off') => {
    const name = new URL(app.databaseUrl ?? '').pathname.slice(1)
    await outside.query(`alter database "${name}" set default_transaction_read_only = ${value}`)
  }

  test('a read-only PostgreSQL database answers 503 to writes and /readyz until a new connection accepts writes', async () => {
    expect((await write('Antes')).status).toBe(201)
    await setReadOnly('on')
    await outside.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)

    await expect.poll(async () => (await admin.get('/responsavel')).status).toBe(200)
    const refused = await write('Durante')
    expect([refused.status, refused.body.codigo, refused.headers['retry-after']]).toEqual([
      503,
      'servico_indisponivel',
      '2',
    ])
    expect(refused.body.detail).toMatch(/^O banco de dados só aceita leitura agora/)
    expect(await readiness()).toBe(503)

    await setReadOnly('off')
    await expect.poll(readiness).toBe(200)
    // Connections opened in between still refuse writes; each is used only once.
    await expect.poll(async () => (await write('Depois')).status).toBe(201)
    expect((await admin.get('/responsavel')).status).toBe(200)
  })

  test('reads go on with an API key and on a kiosk, whose last use is noted later', async () => {
    const { credencial, idChave } = await createKey(app, boss)
    const { idTelao } = await createKiosk(app, [])
    const screen = await connectedScreen(app, { idTelao, conectadaPor: boss.idUsuario })
    const withBearer = (bearer: string) => app.withHeaders({ authorization: `Bearer ${bearer}` })
    const read = async () => [
      (await withBearer(credencial).get('/usuarios/menus')).status,
      (await withBearer(screen).get('/telao/rotacao')).status,
    ]
    const uses = async () => {
      const { usadaEm } = await app.db
        .selectFrom('chaveApi')
        .select('usadaEm')
        .where('idChave', '=', idChave)
        .executeTakeFirstOrThrow()
      const { vistaEm } = await app.db
        .selectFrom('telaoTela')
        .select('vistaEm')
        .where('idTelao', '=', idTelao)
        .executeTakeFirstOrThrow()
      return [usadaEm, vistaEm]
    }
    await setReadOnly('on')
    await outside.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await expect.poll(async () => (await admin.get('/responsavel')).status).toBe(200)
    expect(await read()).toEqual([200, 200])
    expect(await uses()).toEqual([null, null])
    await setReadOnly('off')
    await expect.poll(readiness).toBe(200)
    await expect
      .poll(async () => [await read(), await uses()], { timeout: 20_000, interval: 1_000 })
      .toEqual([
        [200, 200],
        [expect.any(Date), expect.any(Date)],
      ])
  })
})
