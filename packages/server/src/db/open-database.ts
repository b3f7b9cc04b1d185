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
  onError: (error: Error) => void
}

/** The database of this installation: PostgreSQL where `databaseUrl` is set, else the embedded one in `dataDir`. */
export const openDatabase = async ({ dataDir, databaseUrl, onError }: OpenOptions): Promise<Db> => {
  const dialect = databaseUrl
    ? openPostgresDialect(databaseUrl, onError)
    : await openEmbeddedDialect(join(dataDir, 'database'))
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] })
}
