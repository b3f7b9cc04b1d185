import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database/test-database.ts'
import { UnusableDatabase } from '../drivers/unusable-database.ts'
import { openDatabase } from '../open-database.ts'
import { migrate, migrationNames } from './migrate.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'

const createEmptyDatabase = async (): Promise<string> => {
  const server = process.env.TEST_DATABASE_URL ?? ''
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  onTestFinished(() => run(`drop database ${name} with (force)`))
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/* The kind: a limit that the server sets for calls ends work that must wait longer. */
test.runIf(isPostgres)('a migration may take longer than a call, and wait longer for a lock', async () => {
  const databaseUrl = `${await createEmptyDatabase()}?options=-c%20lock_timeout%3D3s`
  const db = await openDatabase({ dataDir: '', databaseUrl, onError: console.error })
  onTestFinished(() => db.destroy())
  const [first = '', ...others] = await migrationNames()
  await migrate(db, { upTo: first })
  expect((await sql`show statement_timeout`.execute(db)).rows).toEqual([{ statementTimeout: '30s' }])
  await sql`create function refuse_limited() returns event_trigger language plpgsql as $$ begin
    if current_setting('statement_timeout') <> '0' then raise exception 'limited to %', current_setting('statement_timeout'); end if;
    if current_setting('lock_timeout') <> '0' then raise exception 'limited to %', current_setting('lock_timeout'); end if;
  end $$`.execute(db)
  await sql`create event trigger unlimited on ddl_command_start execute function refuse_limited()`.execute(db)
  expect(await migrate(db)).toEqual(others)
})

/* The kind: what an operator can mend ends in a stack trace, because its error is not one of those with
   a sentence. */
test('a migration that fails is named in one sentence, with its cause', async () => {
  const { db, close } = await openTestDatabase({ alone: true })
  onTestFinished(close)
  const newest = (await migrationNames()).at(-1) ?? ''
  await sql`delete from kysely_migration where name = ${newest}`.execute(db)
  const failure = await migrate(db).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UnusableDatabase)
  expect((failure as Error).message).toMatch(
    new RegExp(
      `^A migração ${newest} falhou, e nada mudou no banco de dados \\(.*(already exists|duplicate key)[^()]*\\)\\. Corrija a causa`,
    ),
  )
})
