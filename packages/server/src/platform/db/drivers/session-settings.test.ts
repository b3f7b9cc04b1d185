import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createOwnedDatabase, makeUnusual } from '../../../../test/database/owned-database.ts'
import { onServer, openTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'
import { openDatabase } from '../open-database.ts'
import { assertSettings, differentIn, sessionSettings } from './session-settings.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const settingsOf = async (db: TestDatabase['db']) => {
  const { rows } = await sql<{ settings: Record<string, string> }>`
    select json_object_agg(name, setting) as settings from pg_settings`.execute(db)
  return rows[0]?.settings ?? {}
}

test('each connection of the opened database has the settings that the code depends on', async () => {
  const settings = await settingsOf(database.db)
  const read = ['in_hot_standby', 'transaction_read_only', ...sessionSettings.map(({ name }) => name)]
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(read))
  expect(differentIn(settings)).toEqual([])
})

test('a standby with other settings is called a standby first', () => {
  const right = Object.fromEntries(sessionSettings.map(({ name, value }) => [name, value]))
  const settings = { ...right, TimeZone: 'Asia/Kathmandu', transaction_read_only: 'on' }
  expect(() => assertSettings({ ...settings, in_hot_standby: 'on' })).toThrow(
    /^O servidor do banco de dados é uma réplica, .+ ao iniciar: TimeZone = 'Asia\/Kathmandu' \(deve ser 'UTC'\)\.$/,
  )
  expect(() => assertSettings({ ...settings, in_hot_standby: 'off' })).toThrow(
    /^O banco de dados só aceita leitura \(default_transaction_read_only = on\)/,
  )
})

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a database with other defaults', () => {
  const createUnusual = async () => {
    const owned = await createOwnedDatabase()
    onTestFinished(owned.drop)
    await makeUnusual(owned)
    return owned
  }
  const open = async (databaseUrl: string) => {
    const db = await openDatabase({ dataDir: '', databaseUrl, onError: console.error })
    return settingsOf(db).finally(() => db.destroy())
  }

  test('processes that start together have the right settings', async () => {
    const { url } = await createUnusual()
    const all = await Promise.all(Array.from({ length: 6 }, () => open(url)))
    expect(all.map(differentIn)).toEqual(Array(6).fill([]))
  })

  test('a role that acts as another has them too', async () => {
    const { url, name } = await createUnusual()
    const group = `"Group-${crypto.randomUUID()}"`
    await onServer(`create role ${group} role ${name}; alter role ${name} set role = ${group}`)
    const settings = await open(url)
    await onServer(`alter role ${name} reset role; drop role ${group}`)
    expect(differentIn(settings)).toEqual([])
  })

  test('only the settings that change results or limit waits are set, and only for the role in this database', async () => {
    const { url, plain, asSuperuser } = await createUnusual()
    const settings = await open(url)
    expect(settings).toMatchObject({ lock_timeout: '5000', statement_timeout: '30000' })
    const setForRole = `select from pg_db_role_setting, unnest(setconfig)
      where setrole = (select oid from pg_roles where rolname = '${plain}') and setdatabase <> 0`
    expect(await asSuperuser(setForRole)).toBe(11)
  })

  test('limits that would end ordinary calls are lifted', async () => {
    const { url, name, asSuperuser } = await createUnusual()
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const shorten = (limit: string) => `alter database ${name} set ${limit} = '1ms'`
    // With a millisecond, the server would end the session before its first statement.
    const idle = `alter database ${name} set idle_session_timeout = '1s'`
    await asSuperuser([...limits.map(shorten), idle].join('; '))
    expect(await open(url)).toMatchObject({
      statement_timeout: '30000',
      lock_timeout: '5000',
      idle_in_transaction_session_timeout: '0',
      idle_session_timeout: '0',
    })
  })

  test('forms with the same effect stay as they are', async () => {
    const { url, name, plain, asSuperuser } = await createOwnedDatabase().then((owned) => {
      onTestFinished(owned.drop)
      return owned
    })
    const given = {
      DateStyle: 'ISO, DMY',
      TimeZone: 'Etc/UTC',
      extra_float_digits: '3',
      statement_timeout: '1min',
    }
    for (const [setting, value] of Object.entries(given)) {
      await asSuperuser(`alter database ${name} set ${setting} = '${value}'`)
    }
    expect(await open(url)).toMatchObject({ ...given, statement_timeout: '60000' })
    const ofRole = `select from pg_db_role_setting join pg_roles r on r.oid = setrole
      where rolname = '${plain}' and setconfig <> array['lock_timeout=5000']`
    expect(await asSuperuser(ofRole)).toBe(0)
  })
})

/* The kind: a value of the database is read in a form that one of its settings decides, and a text in
   another form became a wrong value instead of an error. */
describe('a value in another form than the settings give it', () => {
  const day = `'2026-12-05'::date`
  const moment = `'2026-12-05 03:04:05+00'::timestamptz`
  test.each([
    ['a day, first and month, second', `DateStyle = 'SQL, DMY'`, day],
    ['a day with the month first', `DateStyle = 'SQL, MDY'`, day],
    ['a day in German form', `DateStyle = 'German'`, day],
    ['a moment with the day first', `DateStyle = 'SQL, DMY'`, moment],
    ['a moment in POSTGRES form', `DateStyle = 'Postgres, MDY'`, moment],
    ['a moment without end', `DateStyle = 'ISO, MDY'`, `'infinity'::timestamptz`],
    ['bytes as escapes', `bytea_output = 'escape'`, `'\\x89504e470d0a'::bytea`],
    ['an integer beyond 2^53', `DateStyle = 'ISO, MDY'`, `9007199254740993::int8`],
  ])('%s is an error', async (_, setting, value) => {
    const read = database.db.connection().execute(async (db) => {
      await sql.raw(`set ${setting}`).execute(db)
      // As a statement with parameters and as one without: the embedded database sends them differently.
      const once = await sql`select ${sql.raw(value)} as value where ${1}::int = 1`.execute(db).catch(reason)
      const plain = await sql`select ${sql.raw(value)} as value`.execute(db).catch(reason)
      await sql`reset all`.execute(db)
      return [once, plain]
    })
    expect(await read).toEqual(
      Array(2).fill(
        expect.stringMatching(/^O banco de dados enviou um valor do tipo \w+ em uma forma desconhecida\./),
      ),
    )
  })

  const reason = (error: Error) => error.message

  test('the error names the setting that may have changed, and what to do', async () => {
    const read = database.db.connection().execute(async (db) => {
      await sql`set DateStyle = 'SQL, DMY'`.execute(db)
      const error = await sql`select ${sql.raw(moment)} as value`.execute(db).catch(reason)
      await sql`reset all`.execute(db)
      return error
    })
    expect(await read).toMatch(/ Se DateStyle mudou, reinicie o portal, que define o valor de novo\.$/)
  })

  test('the connection is used again', async () => {
    const { rows } = await sql`select '2026-12-05'::date as day`.execute(database.db)
    expect(rows).toEqual([{ day: '2026-12-05' }])
  })
})
