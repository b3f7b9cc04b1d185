import { type Kysely, sql } from 'kysely'
import { isAtLeast, programVersion } from '../../config/version.ts'

/*
 * A migration is an expand step, with which the previous version still works, or a contract step,
 * whose first line is `-- contract since 0.3.0: reason`: versions from 0.3.0 on no longer use what
 * it drops. The database stores this, so that an older program can decide whether it may use a
 * newer schema (ADR 0039).
 */

const marker = /^-- contract since (\d+\.\d+\.\d+): \S/

/** Returns the oldest version that works after this migration; null for an expand step. */
export const oldestVersionOf = (text: string): string | null => marker.exec(text)?.[1] ?? null

/**
 * Returns whether each statement only adds: a table and its first rows, a column, constraint, index,
 * trigger or function. Such a migration undoes nothing that later ones have changed.
 */
export const isAdditive = (text: string): boolean => {
  const statements = text
    .replace(/--.*$/gm, '')
    .replace(/\$\$.*?\$\$|'[^']*'/gs, '')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
  const created = new Set(statements.map((statement) => /^create table (\w+)/.exec(statement)?.[1]))
  return statements.every((statement) => {
    const rowsOf = /^insert into (\w+)/.exec(statement)?.[1]
    if (rowsOf) return created.has(rowsOf)
    return addition.test(statement) && !/,\s*(alter|drop|rename)\b/.test(statement)
  })
}

const addition =
  /^(create (unique )?(table|index|trigger|function|view|sequence|type)|alter table \w+\s+add|comment on)\b/

// biome-ignore lint/suspicious/noExplicitAny: Kysely passes migrations a database of any tables.
type AnyDb = Kysely<any>

/** Stores the kind of a migration, in its transaction. The table exists since migration 0021. */
export const recordKind = async (db: AnyDb, name: string, text: string): Promise<void> => {
  if (!(await hasTable(db, 'migracao'))) return
  await sql`insert into migracao (nome, versao_minima) values (${name}, ${oldestVersionOf(text)})`.execute(db)
}

/** Returns the given migrations with which this version of the program does not work, in order. */
export const incompatibleOf = async (db: AnyDb, names: string[]): Promise<string[]> => {
  if (names.length === 0 || !(await hasTable(db, 'migracao'))) return names
  const { rows } = await sql<{ name: string; oldest: string | null }>`
    select nome as name, versao_minima as oldest from migracao where nome = any(${names}::text[])`.execute(db)
  const works = new Set(
    rows.filter(({ oldest }) => oldest === null || isAtLeast(programVersion, oldest)).map(({ name }) => name),
  )
  return names.filter((name) => !works.has(name))
}

export const hasTable = async (db: AnyDb, table: string): Promise<boolean> => {
  const { rows } = await sql<{ known: string | null }>`select to_regclass(${table})::text as known`.execute(
    db,
  )
  return Boolean(rows[0]?.known)
}
