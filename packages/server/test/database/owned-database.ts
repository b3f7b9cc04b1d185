import { randomUUID } from 'node:crypto'
import { onServer, urlOf } from './test-database.ts'

/**
 * Creates an empty database on the test's PostgreSQL server, as a database administrator does for an
 * installation: its owner is a new role without other rights.
 * @param options of `create database`, such as an encoding
 */
export const createOwnedDatabase = async (options = '') => {
  const plain = `Own-${randomUUID()}`
  // Names that SQL must quote: an administrator may choose any.
  const name = `"${plain}"`
  await onServer(`create role ${name} login password '${plain}'`)
  await onServer(`create database ${name} owner ${name} ${options}`)
  const url = new URL(urlOf(plain))
  url.username = plain
  url.password = plain
  return {
    /** The name of the database and of its owner, as SQL has it. */
    name,
    plain,
    url: url.href,
    /** The end of the portal's sentences about this database. */
    place: `(DATABASE_URL: ${url.host}/${plain})`,
    /** Runs statements in the database as a superuser. */
    asSuperuser: (statement: string) => onServer(statement, urlOf(plain)),
    drop: async () => {
      await onServer(`drop database ${name} with (force)`)
      await onServer(`drop role ${name}`)
    },
  }
}

export type OwnedDatabase = Awaited<ReturnType<typeof createOwnedDatabase>>

/** Defaults that differ from PostgreSQL's own: each is a legal value that another program may need. */
const unusualDefaults = {
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  client_encoding: 'LATIN1',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  default_transaction_isolation: 'serializable',
  gin_fuzzy_search_limit: '1',
  backslash_quote: 'off',
  check_function_bodies: 'off',
  default_text_search_config: 'pg_catalog.portuguese',
  escape_string_warning: 'off',
  idle_in_transaction_session_timeout: '20s',
  lock_timeout: '20s',
  plan_cache_mode: 'force_generic_plan',
  quote_all_identifiers: 'on',
  row_security: 'off',
  timezone_abbreviations: 'India',
  transform_null_equals: 'on',
  xmloption: 'document',
}

/** Returns SQL that gives a database all of the unusual defaults. @param name as SQL has it */
export const unusualDefaultsSql = (name: string): string =>
  Object.entries(unusualDefaults)
    .map(([setting, value]) => `alter database ${name} set ${setting} = '${value}'`)
    .join('; ')

export const makeUnusual = async ({ name, asSuperuser }: OwnedDatabase): Promise<void> => {
  // In the way of the database's own settings, as a superuser may leave them.
  await asSuperuser(`${unusualDefaultsSql(name)}; alter role ${name} set DateStyle = 'German'`)
}
