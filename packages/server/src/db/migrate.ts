import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './open-database.ts'

/**
 * The database has migrations that this version of the program does not know. The message is a
 * Portuguese sentence.
 */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

const folder = new URL('../../migrations/', import.meta.url)

/**
 * Brings the database to the newest schema, or to that of one migration: forward only, one transaction, one process at a time.
 * @returns the names of the migrations applied
 * @throws NewerDatabase; Error naming the migration that failed
 */
export const migrate = async (db: Db, { upTo }: { upTo?: string } = {}): Promise<string[]> => {
  await assertKnown(db)
  // The migrations write snake_case names themselves, so the naming plugin stays out.
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations } })
  const { error, results = [] } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest())
  const failed = results.find(({ status }) => status === 'Error')
  if (failed) throw new Error(`Migration ${failed.migrationName} failed.`, { cause: error })
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}

const assertKnown = async (db: Db): Promise<void> => {
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name`.execute(db)
  if (!tables[0]?.name) return
  const known = await migrationNames()
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name <> all(${known}::text[]) order by name`.execute(db)
  const [unknown] = rows
  if (!unknown) return
  throw new NewerDatabase(
    `O banco de dados tem a migração ${unknown.name}, que esta versão do BI Manager não conhece: uma versão mais nova já o usou. Inicie essa versão, ou restaure uma cópia de segurança anterior em um banco vazio.`,
  )
}

/** Every migration that this version of the program knows, in order. */
export const migrationNames = async (): Promise<string[]> => Object.keys(await getMigrations())

const getMigrations = async (): Promise<Record<string, Migration>> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const entries = files.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(new URL(name, folder), 'utf8')
    return [name.replace(/\.sql$/, ''), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(entries))
}
