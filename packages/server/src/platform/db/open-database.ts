import { join } from 'node:path'
import { databaseStatements } from '@bi-manager/telemetry/events'
import { CamelCasePlugin, Kysely, type LogEvent } from 'kysely'
import { openEmbeddedDialect } from './drivers/embedded-dialect.ts'
import type { PoolState } from './drivers/pool-state.ts'
import type { Tables } from './types.ts'

/** The database: the pool or an open transaction. */
export type Db = Kysely<Tables>

/** The database itself, not a transaction on it. */
export interface OpenDatabase extends Db {
  /**
   * A number that changes whenever session data may have changed. Defined only on the embedded
   * database, where this process is the only writer.
   */
  readonly sessionChanges?: () => number
  readonly pool?: () => PoolState
  /**
   * Copies the embedded database's folder, as of one moment, into a folder that does not exist yet.
   * Statements wait only while changed files are copied again. Undefined on PostgreSQL.
   */
  readonly snapshot?: (target: string) => Promise<void>
}

interface OpenOptions {
  dataDir: string
  databaseUrl: string | undefined
  /** Called when an idle PostgreSQL connection is lost; the pool opens another. */
  onError: (error: Error) => void
  /** Called when the embedded database is lost for good. */
  onLost?: (error: Error) => void
}

/** Opens the database: PostgreSQL when `databaseUrl` is set, else the embedded one. */
export const openDatabase = async ({
  dataDir,
  databaseUrl,
  onError,
  onLost = onError,
}: OpenOptions): Promise<OpenDatabase> => {
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  if (databaseUrl) {
    const { openPostgresDialect } = await import('./drivers/postgres-dialect.ts')
    const dialect = await openPostgresDialect(databaseUrl, onError)
    const { pool } = dialect
    return Object.assign(new Kysely<Tables>({ dialect, plugins, log: reportStatement }), { pool })
  }
  let changes = 0
  const { dialect, pool, snapshot } = await openEmbeddedDialect(join(dataDir, 'database'), {
    onLost,
    onSessionsChanged: () => {
      changes += 1
    },
  })
  const db = new Kysely<Tables>({ dialect, plugins, log: reportStatement })
  // Kysely closes only what it has used; unused, the database would keep the process alive.
  await db.connection().execute(async () => {})
  return Object.assign(db, { sessionChanges: () => changes, pool, snapshot })
}

const reportStatement = ({ level, query, queryDurationMillis }: LogEvent): void => {
  if (!databaseStatements.isHeard()) return
  const hasFailed = level === 'error'
  databaseStatements.publish({ sql: query.sql, seconds: queryDurationMillis / 1000, hasFailed })
}
