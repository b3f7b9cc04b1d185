import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/open-database.ts'

/** Tables that the migrations and the embedded database use for themselves. */
const bookkeeping = ['kysely_migration', 'kysely_migration_lock', 'migracao', 'sync_check']

/** Tables into which migrations insert rows. */
const seeded = [
  'responsavel',
  'catalogo',
  'total_linhas',
  'configuracao',
  'aparencia',
  'instalacao',
  'regras_chaves',
  'assinatura_regras',
  'convidado_regras',
  'comentario_versao',
]

export interface Table {
  name: string
  /** Stored columns only; generated ones are computed again. */
  columns: string[]
}

/** Returns every table of the portal, each after those that it references. */
export const readTables = async (db: Db): Promise<Table[]> => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    group by c.relname order by c.relname`.execute(db)
  const { rows: references } = await sql<{ from: string; to: string }>`
    select distinct f.relname as from, t.relname as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.oid <> t.oid and f.relnamespace = current_schema()::regnamespace`.execute(db)
  return inOrder(
    rows.filter(({ name }) => !bookkeeping.includes(name)),
    references,
  )
}

const inOrder = (tables: Table[], references: { from: string; to: string }[]): Table[] => {
  const ordered: Table[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      ({ name }) =>
        !references.some(({ from, to }) => from === name && [...waiting].some((other) => other.name === to)),
    )
    if (ready.length === 0) throw new Error('The tables refer to each other in a circle.')
    for (const table of ready) waiting.delete(table)
    ordered.push(...ready)
  }
  return ordered
}

/** @returns the names of tables with more rows than the migrations insert */
export const tablesInUse = async (db: Db): Promise<string[]> => {
  const used: string[] = []
  for (const { name } of await readTables(db)) {
    if (seeded.includes(name)) continue
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) used.push(name)
  }
  return used
}

/** Returns the applied migrations; none when there is no schema yet. */
export const appliedMigrations = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{
    known: string | null
  }>`select to_regclass('kysely_migration') as known`.execute(db)
  if (!rows[0]?.known) return []
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return applied.rows.map(({ name }) => name)
}

/** Sequences are not part of a snapshot; their values are never lower than the rows need. */
export const readSequences = async (db: Db): Promise<{ nome: string; valor: number | null }[]> => {
  const { rows } = await sql<{ nome: string; valor: number | null }>`
    select sequencename as nome, last_value as valor from pg_sequences
    where schemaname = current_schema() order by 1`.execute(db)
  return rows
}

/**
 * Identifies the database: the cluster, the database in it and, for an embedded one, its folder. A
 * copy elsewhere has another identity; another address of the same database does not.
 */
export const readDatabaseId = async (
  db: Db,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as id
    from pg_control_system()`.execute(db)
  const id = rows[0]?.id ?? ''
  return databaseUrl ? id : `${id}/${statSync(join(dataDir, 'database')).ino}`
}
