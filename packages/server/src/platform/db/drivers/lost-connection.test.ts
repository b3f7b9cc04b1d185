import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createUser } from '../../../../test/users.ts'

/*
 * PostgreSQL ends connections at random moments, as `pg_terminate_backend` and a restart do.
 * lost-database.long.ts restarts it.
 */

const isPostgres = process.env.TEST_DATABASE === 'postgres'

describe.runIf(isPostgres)('a lost connection to PostgreSQL', () => {
  let app: TestApp
  let admin: Awaited<ReturnType<TestApp['as']>>
  let outside: pg.Client
  beforeAll(async () => {
    app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' }, { alone: true })
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    outside = new pg.Client({ connectionString: app.databaseUrl })
    await outside.connect()
  })
  // Each lost connection is logged there.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  afterAll(async () => {
    await outside.end()
    await app.close()
  })

  const endAllConnections = async (): Promise<number> => {
    const { rowCount } = await outside.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    return rowCount ?? 0
  }

  /**
   * Makes calls until `work` has ended.
   * @returns the answers
   */
  const during = async <T>(call: (n: number) => Promise<T>, work: () => Promise<unknown>): Promise<T[]> => {
    let isOver = false
    const answers: Promise<T>[] = []
    const calling = (async () => {
      for (let n = 0; !isOver; n += 1) {
        answers.push(call(n))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    await work().finally(() => {
      isOver = true
    })
    await calling
    return Promise.all(answers)
  }

  const loseOften = async () => {
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      // On a busy machine, the pool may need longer to connect again.
      await expect.poll(endAllConnections, { timeout: 10_000 }).toBeGreaterThan(0)
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }

  test('a lost connection to PostgreSQL fails no read', async () => {
    const answers = await during(() => admin.get('/responsavel'), loseOften)
    expect(answers.length).toBeGreaterThan(100)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })

  test('a lost connection to PostgreSQL fails no read whose repetition is lost as well, but one that ends each connection', async () => {
    await outside.query(`
      create sequence ended;
      create function end_connections(times int) returns int language plpgsql as $$ begin
        if nextval('ended') <= times then perform pg_terminate_backend(pg_backend_pid()); end if;
        return 1;
      end $$`)
    const read = (times: number) => sql`select end_connections(${times}::int) as one`.execute(app.db)
    expect((await read(2)).rows).toEqual([{ one: 1 }])
    await outside.query('alter sequence ended restart')
    await expect(read(1000)).rejects.toThrow(/connection/i)
    const { rows } = await outside.query('select last_value::int as sent from ended')
    expect(rows).toEqual([{ sent: 4 }])
    await outside.query('drop function end_connections; drop sequence ended')
  })

  test('a lost connection to PostgreSQL answers 503 with Retry-After to a write, keeps acknowledged writes, and applies none twice', async () => {
    const write = async (n: number) => {
      const nomeResponsavel = `Responsável ${n}`
      return { nomeResponsavel, ...(await admin.post('/responsavel', { nomeResponsavel })) }
    }
    const answers = await during(write, loseOften)
    const created = answers.filter(({ status }) => status === 201)
    expect(created.length).toBeGreaterThan(20)
    for (const { status, body, headers } of answers) {
      if (status === 201) continue
      expect([status, body.codigo, headers['retry-after']]).toEqual([503, 'servico_indisponivel', '2'])
    }
    const rows = await app.db.selectFrom('responsavel').select('nomeResponsavel').execute()
    const names = rows.map(({ nomeResponsavel }) => nomeResponsavel)
    expect(names).toEqual(expect.arrayContaining(created.map(({ nomeResponsavel }) => nomeResponsavel)))
    const audited = await app.db
      .selectFrom('auditoria')
      .select((eb) => eb.fn.countAll<number>().as('lines'))
      .where('acao', '=', 'responsible.created')
      .executeTakeFirstOrThrow()
    // The migrations insert one row; each other row has its audit line.
    expect(Number(audited.lines)).toBe(names.length - 1)
    expect((await admin.post('/responsavel', { nomeResponsavel: 'Depois' })).status).toBe(201)
  })

  test('during the commit answers that the write may be done', async () => {
    await outside.query(`
      create function end_connection() returns trigger language plpgsql as $$ begin
        perform pg_terminate_backend(pg_backend_pid());
        return null;
      end $$;
      create constraint trigger ends after insert on responsavel deferrable initially deferred
        for each row execute function end_connection()`)
    const { status, headers, body } = await admin.post('/responsavel', { nomeResponsavel: 'Talvez' })
    await outside.query('drop trigger ends on responsavel; drop function end_connection')
    expect([status, body.codigo, headers['retry-after']]).toEqual([503, 'servico_indisponivel', '2'])
    expect(body.detail).toMatch(/pode ter sido feita. Confira antes de repeti-la/)
  })

  test('a lost connection to PostgreSQL ends an open transaction, and the next call succeeds', async () => {
    const open = app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('responsavel').select('idResponsavel').execute()
      await endAllConnections()
      await new Promise((resolve) => setTimeout(resolve, 50))
      return tx.selectFrom('responsavel').select('idResponsavel').execute()
    })
    await expect(open).rejects.toThrow(/connection/i)
    expect((await admin.get('/responsavel')).status).toBe(200)
  })
})
