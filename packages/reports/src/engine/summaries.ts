import type { Dataset, Predicate, Summary, Table } from './catalog.ts'
import { type Database, quote } from './database.ts'
import type { DatasetDefinition } from './definition.ts'
import { SqlError } from './sql-check.ts'

/** A summary of nearly as many rows as its table saves nothing. */
const WORTH = 0.5

/** Sums tables up as their dataset says; identifiers alone go into the SQL, so it may come before the database is sealed. */
export async function makeSummaries(
  database: Database,
  { summaries }: DatasetDefinition,
  tables: Map<string, Table>,
  fail: (place: string, error: unknown) => void,
  warn: (place: string, sentence: string) => void,
): Promise<Dataset['summaries']> {
  const made: Dataset['summaries'] = new Map()
  for (const [index, { of, by, sums }] of summaries.entries()) {
    const place = `summaries[${index}]`
    try {
      const table = tables.get(of.toLowerCase())
      if (!table) throw new SqlError(`a tabela ${of} não existe no conjunto de dados`)
      const keys = by.map((name) => columnOf(table, name))
      const summed = sums.map((name) => columnOf(table, name))
      const twice = [...keys, ...summed].find(
        ({ name }, at, all) => all.findIndex((one) => one.name === name) < at,
      )
      if (twice) throw new SqlError(`a coluna ${twice.name} se repete em by e sums`)
      const text = summed.find(({ kind }) => kind !== 'integer' && kind !== 'number')
      if (text) throw new SqlError(`sums: a coluna ${text.name} não é de números`)

      const [schema] = table.source.split('.')
      const source = `${schema}.${quote(`${table.name}#${index}`)}`
      const list = [
        ...keys.map(({ name }) => quote(name)),
        ...summed.map(({ name }) => `sum(${quote(name)}) AS ${quote(name)}`),
      ]
      const rows = await database.createTable(
        source,
        `SELECT ${list.join(', ')} FROM ${table.source} GROUP BY ${keys.map((_key, at) => at + 1)}`,
      )
      if (rows > WORTH * (await countOf(database, table.source))) {
        await database.load(`DROP TABLE ${source}`)
        warn(place, `não reduz a tabela ${table.name} (${rows} combinações de by) e não será usado`)
        continue
      }
      const names = (columns: { name: string }[]) => new Set(columns.map(({ name }) => name.toLowerCase()))
      const known = made.get(table) ?? []
      known.push({ source, by: names(keys), sums: names(summed), rows })
      // The shortest first: the first that serves is taken.
      made.set(
        table,
        known.sort((one, other) => one.rows - other.rows),
      )
    } catch (error) {
      fail(place, error)
    }
  }
  return made
}

/** Whether a rule reads of the rows it judges no column but keys of the summary. */
export function servesPredicate(summary: Summary, table: Table, { names }: Predicate): boolean {
  const self = table.name.toLowerCase()
  const others = [...table.columns.keys()].filter((column) => !summary.by.has(column))
  const isRead = (name: string) => names.has(name) || names.has(`${name}.`)
  // A table's name alone is its whole row.
  return !names.has('*') && !names.has(self) && !others.some(isRead)
}

function columnOf(table: Table, name: string) {
  const column = table.columns.get(name.toLowerCase())
  if (!column) throw new SqlError(`a coluna ${table.name}.${name} não existe`)
  return column
}

async function countOf(database: Database, source: string): Promise<number> {
  const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${source}`)
  return Number(row?.[0])
}
