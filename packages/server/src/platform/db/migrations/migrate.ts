import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isAnswer, UnusableDatabase } from '../drivers/unusable-database.ts'
import type { Db } from '../open-database.ts'
import { assertMigratable, assertWritable, readRights } from './database-rights.ts'
import { hasTable, incompatibleOf, isAdditive, recordKind } from './migration-kind.ts'

/**
 * This version of the program does not work, or may not work, with the migrations that the database
 * has or lacks.
 */
export class SchemaMismatch extends UnusableDatabase {
  override readonly name = 'SchemaMismatch'
}

const folder = new URL('../../../../migrations/', import.meta.url)

interface Options {
  /** Stops at this migration instead of the newest. */
  upTo?: string
  /** Accepts newer migrations with which this version works: old and new nodes run together. */
  allowNewer?: boolean
}

/**
 * Migrates the database to the newest schema: forward only, in one transaction, one process at a
 * time. A database that lacks an older migration than its newest is completed if the missing
 * migrations only add.
 * @returns the names of the migrations applied
 * @throws UnusableDatabase when the database is newer, lacks migrations in between, is read-only, or
 * the role lacks a right, and naming a migration that failed
 */
export const migrate = async (db: Db, { upTo, allowNewer = false }: Options = {}): Promise<string[]> => {
  const own = await ownMigrations()
  const rights = await readRights(db)
  assertWritable(rights)
  const applied = await appliedMigrations(db)
  const newer = applied.filter((name) => !(name in own))
  const [refused] = allowNewer ? await incompatibleOf(db, newer) : newer
  if (refused) throw new SchemaMismatch(newerSentence(refused))
  // Kysely would first inspect the whole schema, which takes half a second at each start.
  if (Object.keys(own).every((name) => applied.includes(name))) return []
  const unsafe = await unsafeGap(Object.keys(own), applied)
  if (unsafe) throw new SchemaMismatch(gapSentence(unsafe))
  assertMigratable(rights)
  const getMigrations = async () => ({ ...own, ...asApplied(newer) })
  const migrator = new Migrator({
    // The migrations use snake_case names, so the naming plugin is left out.
    db: db.withoutPlugins(),
    provider: { getMigrations },
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest())
  const failed = results.find(({ status }) => status === 'Error')
  if (failed) throw new UnusableDatabase(failureSentence(failed.migrationName, error), { cause: error })
  if (isAnswer(error)) throw new UnusableDatabase(uncountedSentence(error), { cause: error })
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}

const appliedMigrations = async (db: Db): Promise<string[]> => {
  if (!(await hasTable(db, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const newerSentence = (name: string): string =>
  `O banco de dados tem a migração ${name}, que esta versão do BI Manager não conhece: uma versão mais nova já o usou. Inicie essa versão, ou restaure uma cópia de segurança anterior em um banco vazio.`

const gapSentence = (name: string): string =>
  `Falta ao banco de dados a migração ${name}, e migrações posteriores já foram aplicadas: ela não pode ser aplicada depois delas. Restaure uma cópia de segurança em um banco vazio.`

const failureSentence = (name: string, cause: unknown): string =>
  `A migração ${name} falhou, e nada mudou no banco de dados (${reasonOf(cause)}). Corrija a causa e tente de novo; se as tabelas foram mudadas por fora, restaure uma cópia de segurança em um banco vazio.`

/** Kysely failed before the first migration, while it creates or reads its own tables. */
const uncountedSentence = (cause: unknown): string =>
  `As tabelas que contam as migrações não puderam ser criadas, e nada mudou no banco de dados (${reasonOf(cause)}). Corrija a causa e tente de novo.`

const reasonOf = (cause: unknown): string => {
  const { code = '', message } = cause as { code?: string; message: string }
  // Messages of class 22 repeat values.
  return /^22\w{3}$/.test(code) ? code : message
}

/** Returns a migration that is missing before an applied one and that must not run after it. */
const unsafeGap = async (own: string[], applied: string[]): Promise<string | undefined> => {
  const newest = applied.filter((name) => own.includes(name)).at(-1) ?? ''
  const missing = own.filter((name) => name < newest && !applied.includes(name))
  for (const name of missing) if (!isAdditive(await textOf(name))) return name
  return undefined
}

/** Kysely refuses a database with applied migrations that it cannot find; it never runs these. */
const asApplied = (names: string[]): Record<string, Migration> =>
  Object.fromEntries(names.map((name): [string, Migration] => [name, { up: async () => {} }]))

/** Returns the names of every migration that this version of the program knows, in order. */
export const migrationNames = async (): Promise<string[]> => Object.keys(await ownMigrations())

const ownMigrations = async (): Promise<Record<string, Migration>> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const entries = files.map(async (name): Promise<[string, Migration]> => {
    const migration = name.replace(/\.sql$/, '')
    const text = await textOf(migration)
    const up: Migration['up'] = async (db) => {
      // The role's limit is for calls: a migration of a large table may take minutes.
      await sql`set local statement_timeout = 0`.execute(db)
      await sql`set local lock_timeout = 0`.execute(db)
      await sql.raw(text).execute(db)
      await recordKind(db, migration, text)
    }
    return [migration, { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

const textOf = (migration: string): Promise<string> => readFile(new URL(`${migration}.sql`, folder), 'utf8')
