import { join } from 'node:path'
import { CamelCasePlugin, Kysely } from 'kysely'
import { openEmbeddedDialect } from './embedded-dialect.ts'
import { openPostgresDialect } from './postgres-dialect.ts'
import type { Tables } from './types.ts'

/** Queries run on either the pool or an open transaction; both are a `Db`. */
export type Db = Kysely<Tables>

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
}: OpenOptions): Promise<Db> => {
  const dialect = databaseUrl
    ? openPostgresDialect(databaseUrl, onError)
    : await openEmbeddedDialect(join(dataDir, 'database'), onLost)
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] })
}
