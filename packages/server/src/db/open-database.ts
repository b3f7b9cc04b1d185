import { join } from 'node:path'
import { databaseStatements } from '@bi-manager/telemetry/events'
import { CamelCasePlugin, Kysely, type LogEvent } from 'kysely'
import { openEmbeddedDialect } from './embedded-dialect.ts'
import type { PoolState } from './pool-state.ts'
import { openPostgresDialect } from './postgres-dialect.ts'
import type { Tables } from './types.ts'

/** Queries run on either the pool or an open transaction; both are a `Db`. */
export type Db = Kysely<Tables>

/** The database itself, as against a transaction on it. */
export interface OpenDatabase extends Db {
  /**
   * Another number whenever what decides whose session is whose may have changed. Only where this process alone writes, on the
   * embedded database; none where others do.
   */
  readonly sessionChanges?: () => number
  readonly pool?: () => PoolState
  /**
   * Copies the embedded database's folder, as of one moment, into a folder that does not exist yet;
   * statements wait only while what changed meanwhile is copied. None on PostgreSQL.
   */
  readonly snapshot?: (target: string) => Promise<void>
}

interface OpenOptions {
  dataDir: string
  databaseUrl: string | undefined
  /** Hears of a PostgreSQL connection lost while idle; the pool opens another. */
  onError: (error: Error) => void
  /** Hears that the embedded database is gone for good. */
  onLost?: (error: Error) => void
}

/** The database of this installation: PostgreSQL where `databaseUrl` is set, else the embedded one in `dataDir`. */
export const openDatabase = async ({
  dataDir,
  databaseUrl,
  onError,
  onLost = onError,
}: OpenOptions): Promise<OpenDatabase> => {
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  if (databaseUrl) {
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
  // Kysely closes only what it has used; unused, the open database would keep the process, and its lock, for ever.
  await db.connection().execute(async () => {})
  return Object.assign(db, { sessionChanges: () => changes, pool, snapshot })
}

const reportStatement = ({ level, query, queryDurationMillis }: LogEvent): void => {
  if (!databaseStatements.isHeard()) return
  const hasFailed = level === 'error'
  databaseStatements.publish({ sql: query.sql, seconds: queryDurationMillis / 1000, hasFailed })
}
