import pg from 'pg'
import { explainConnection } from './connection-failure.ts'
import { READ_ONLY, STANDBY, UnusableDatabase } from './unusable-database.ts'

interface SessionSetting {
  name: string
  /** The value that the portal sets. */
  value: string
  /** Values with the same effect; by default only `value`. */
  accepted?: RegExp
}

/**
 * Settings of a session that change what the portal stores or reads, without an error. A database,
 * a role or a server may have any of them.
 */
export const sessionSettings: readonly SessionSetting[] = [
  // The order of day and month matters only to input that is not ISO, which the portal never sends.
  { name: 'DateStyle', value: 'ISO, MDY', accepted: /^ISO\b/ },
  { name: 'IntervalStyle', value: 'postgres' },
  {
    name: 'TimeZone',
    value: 'UTC',
    accepted: /^(Etc\/)?(UTC|UCT|GMT|Greenwich|Universal|Zulu)$/i,
  },
  { name: 'bytea_output', value: 'hex' },
  // From 1 on, each number is written so that it is read back unchanged.
  { name: 'extra_float_digits', value: '1', accepted: /^[123]$/ },
  { name: 'client_encoding', value: 'UTF8' },
  { name: 'standard_conforming_strings', value: 'on' },
  // Off turns a null in an array into the text NULL.
  { name: 'array_nulls', value: 'on' },
  { name: 'default_transaction_isolation', value: 'read committed' },
  // `replica` runs no triggers and checks no foreign keys. Only a superuser can set it.
  { name: 'session_replication_role', value: 'origin', accepted: /^(origin|local)$/ },
  // A limit makes the indexes of searches return a random part of the rows.
  { name: 'gin_fuzzy_search_limit', value: '0' },
]

const defaultLimitMs = 30_000
const statementLimit = { name: 'statement_timeout', value: `${defaultLimitMs}ms` }
/**
 * A call that waits longer for a table or a row fails, which frees its connection for other calls.
 * The start and migrations, which wait for another process, lift it.
 */
const lockLimit = { name: 'lock_timeout', value: '5000' }

/** Shorter limits would end ordinary calls. In milliseconds; 0 is none. */
const timeLimits = [
  { ...statementLimit, least: 1_000 },
  { name: 'idle_in_transaction_session_timeout', value: '0', least: 10_000 },
  // The pool keeps idle connections for half a minute.
  { name: 'idle_session_timeout', value: '0', least: 60_000 },
  // Since PostgreSQL 17. A backup is one transaction.
  { name: 'transaction_timeout', value: '0', least: 3_600_000 },
] as const

/** Every setting of a connection, by name. */
type Settings = Record<string, string>

/**
 * Sets the session settings and the lock timeout for the role in this database, a statement timeout if it has
 * none, and replaces limits that are too short. Checks them on a new connection. Poolers refuse them as
 * start-up parameters, and pass those set on a connection to other clients.
 * @returns the statement timeout in milliseconds
 * @throws UnusableDatabase
 */
export const prepareSessions = async (connectionString: string): Promise<number> => {
  const found = await withConnection(connectionString, async (client) => {
    const settings = await readSettings(client)
    assertSupported(settings)
    const missing = [
      ...differentIn(settings),
      ...shortIn(settings),
      ...(settings.statement_timeout === '0' ? [statementLimit] : []),
      ...(settings.lock_timeout === lockLimit.value ? [] : [lockLimit]),
    ]
    if (missing.length > 0 && settings.transaction_read_only === 'off') await setForRole(client, missing)
    return settings
  })
  const isShort = shortIn(found).some(({ name }) => name === statementLimit.name)
  if (listDifferent(found)) assertSettings(await withConnection(connectionString, readSettings))
  // The new default is for the connections to come.
  return isShort ? defaultLimitMs : Number(found.statement_timeout) || defaultLimitMs
}

const withConnection = async <T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    // Behind PgBouncer, a failure may come only with the first statement.
    await client.connect()
    const result = await work(client)
    await client.end()
    return result
  } catch (error) {
    // pg leaves the connection open when it cannot sign in, and the server keeps it for a minute.
    void client.end().catch(() => {})
    return explainConnection({ role: client.user ?? '', base: client.database ?? '' }, error)
  }
}

const QUERY_CANCELED = '57014'
const MAX_TRIES = 20

/** The limit that the first statement of a text lifts may end it before: it runs again then. */
const lifting = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== QUERY_CANCELED || tries === MAX_TRIES) throw error
    }
  }
}

const readSettings = async (client: pg.Client): Promise<Settings> => {
  // The limits of the session may be too short for this statement, and for the pause before the next one. pg
  // answers several with a list.
  const answers: unknown = await lifting(() =>
    client.query(`set local statement_timeout = 0;
    select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout';
    select json_object_agg(name,
        case when name in ('statement_timeout', 'idle_session_timeout') then reset_val else setting end) as settings,
      lower('I') as lower from pg_settings`),
  )
  const read = (answers as pg.QueryResult<{ settings: Settings; lower: string }>[]).at(-1)
  const row = read?.rows[0]
  return { ...row?.settings, lower: row?.lower ?? '' }
}

/** Returns the settings of the list that are different on this connection. */
export const differentIn = (settings: Settings): SessionSetting[] =>
  sessionSettings.filter(({ name, value, accepted }) => {
    const actual = settings[name] ?? ''
    return accepted ? !accepted.test(actual) : actual !== value
  })

/** Returns the limits that are too short on this connection. */
const shortIn = (settings: Settings) =>
  timeLimits.filter(({ name, least }) => {
    const actual = Number(settings[name] ?? 0)
    return actual > 0 && actual < least
  })

const setForRole = async (
  client: pg.Client,
  settings: Pick<SessionSetting, 'name' | 'value'>[],
): Promise<void> => {
  const values = settings.map(({ name, value }) => `('${name}', '${value}')`).join(', ')
  // The lock keeps processes that start together from updating the same catalogue row. The session's
  // role counts at sign-in, whatever `role` is set to. What only a superuser may set stays different.
  const text = `
    set local statement_timeout = 0;
    set local lock_timeout = 0;
    select pg_advisory_xact_lock(hashtextextended('bi-manager statement_timeout', 0));
    do $$ declare name text; value text; begin
      set local role none;
      for name, value in select * from (values ${values}) settings loop
        begin
          execute format('alter role %I in database %I set %I = %L', session_user, current_database(), name, value);
        exception when insufficient_privilege then null;
        end;
      end loop;
    end $$`
  await lifting(() => client.query(text))
  // Ended, because PgBouncer would give this session, which has the old values, to other clients.
  await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
}

/** The oldest version of PostgreSQL with which the portal is tested. */
const OLDEST_POSTGRES = 15

/** @throws UnusableDatabase about what no setting can change */
export const assertSupported = (settings: Settings): void => {
  const { server_version_num = '', server_version = '', server_encoding, lower } = settings
  if (Number(server_version_num) < OLDEST_POSTGRES * 10_000) {
    throw new UnusableDatabase(
      `O servidor do banco de dados é o PostgreSQL ${server_version.split(' ')[0]}, e o portal precisa do ${OLDEST_POSTGRES} ou mais novo: atualize o servidor.`,
    )
  }
  if (server_encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `O banco de dados usa a codificação ${server_encoding}, e o portal precisa de UTF8: crie outro banco com \`create database … encoding 'UTF8' template template0\`.`,
    )
  }
  // As in Turkish, where two accounts could have the same e-mail.
  if (lower !== 'i') {
    throw new UnusableDatabase(
      `O banco de dados usa regras de maiúsculas de outro idioma, em que I não é a maiúscula de i: crie outro banco com \`create database … locale 'C' template template0\`.`,
    )
  }
}

/** @throws UnusableDatabase naming each setting that is different */
export const assertSettings = (settings: Settings): void => {
  const list = listDifferent(settings)
  if (!list) return
  if (settings.transaction_read_only === 'on') {
    const reason = settings.in_hot_standby === 'on' ? STANDBY : READ_ONLY
    throw new UnusableDatabase(`${reason} Depois disso, o portal define sozinho, ao iniciar: ${list}.`)
  }
  throw new UnusableDatabase(
    `O banco de dados responde com ${list}: tire esses valores de DATABASE_URL, de PGOPTIONS, do pooler e do papel, e atrás de um PgBouncer dê RECONNECT ou o reinicie.`,
  )
}

/** @throws UnusableDatabase when a setting has changed since the start */
export const assertUnchanged = (settings: Settings): void => {
  const list = listDifferent(settings)
  if (!list) return
  throw new UnusableDatabase(
    `O banco de dados passou a responder com ${list}: reinicie o portal, que define esses valores de novo, e atrás de um PgBouncer dê RECONNECT.`,
  )
}

const listDifferent = (settings: Settings): string =>
  [
    ...differentIn(settings).map(({ name, value }) => `${name} = '${settings[name]}' (deve ser '${value}')`),
    ...shortIn(settings).map(
      ({ name, least }) => `${name} = '${settings[name]}ms' (deve ser ao menos '${least}ms')`,
    ),
  ].join(', ')
