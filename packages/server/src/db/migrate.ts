import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './open-database.ts'

const folder = new URL('../../migrations/', import.meta.url)

/**
 * Brings the database to the newest schema, or to that of one migration: forward only, one transaction, one process at a time.
 * @returns the names of the migrations applied
 * @throws Error naming the migration that failed
 */
export const migrate = async (db: Db, { upTo }: { upTo?: string } = {}): Promise<string[]> => {
  // The migrations write snake_case names themselves, so the naming plugin stays out.
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations } })
  const { error, results = [] } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest())
  const failed = results.find(({ status }) => status === 'Error')
  if (failed) throw new Error(`Migration ${failed.migrationName} failed.`, { cause: error })
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
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
