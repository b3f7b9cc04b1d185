import type { DatasetDefinition } from '../../definitions/definition.ts'
import { DefinitionError } from '../../definitions/definition-error.ts'
import type { AggregationTable, Predicate, Table } from '../data/catalog.ts'
import { type Database, quote } from '../data/database/database.ts'

/** An aggregation table with more than this share of its table's rows saves nothing. */
const WORTH = 0.5

/**
 * Creates the aggregation tables of a dataset, before the database is sealed, and returns them with
 * the fewest rows first.
 */
export const createAggregationTables = async (
  database: Database,
  { summaries }: DatasetDefinition,
  tables: Map<string, Table>,
  fail: (place: string, error: unknown) => void,
  warn: (place: string, sentence: string) => void,
): Promise<AggregationTable[]> => {
  const created: AggregationTable[] = []
  for (const [index, { name, of, by, sums }] of summaries.entries()) {
    const place = `summaries[${index}]`
    try {
      const table = tables.get(of.toLowerCase())
      if (!table) throw new DefinitionError(`a tabela ${of} não existe no conjunto de dados`)
      const keys = by.map((key) => columnOf(table, key))
      const summed = sums.map((sum) => columnOf(table, sum))
      const repeated = [...keys, ...summed].find(
        (column, at, all) => all.findIndex((one) => one.name === column.name) < at,
      )
      if (repeated) throw new DefinitionError(`a coluna ${repeated.name} se repete em by e sums`)
      const text = summed.find(({ kind }) => kind !== 'integer' && kind !== 'number')
      if (text) throw new DefinitionError(`sums: a coluna ${text.name} não é de números`)
      if (name === undefined) {
        warn(place, 'falta name, o nome que os visuais citam em summary; sem ele, o resumo não é usado')
        continue
      }
      if (summaries.findIndex((other) => isSame(other.name, name)) < index)
        throw new DefinitionError(`name: ${name} se repete`)

      const [schema] = table.source.split('.')
      const source = `${schema}.${quote(`${table.name}#${index}`)}`
      const list = [
        ...keys.map((key) => quote(key.name)),
        ...summed.map((sum) => `sum(${quote(sum.name)}) AS ${quote(sum.name)}`),
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
      created.push({ name, table, source, by: new Set(keys.map((key) => key.name.toLowerCase())), rows })
    } catch (error) {
      fail(place, error)
    }
  }
  return created.sort((one, other) => one.rows - other.rows)
}

/** Returns whether filters on these columns (lower case) and these rules need only its keys. */
export const servesRows = (
  { table, by }: AggregationTable,
  filtered: readonly string[],
  predicates: readonly Predicate[],
): boolean =>
  filtered.every((column) => by.has(column)) &&
  predicates.every(({ names }) => {
    const others = [...table.columns.keys()].filter((column) => !by.has(column))
    // The table's name alone is its whole row.
    return ![...others.flatMap((column) => [column, `${column}.`]), '*', table.name.toLowerCase()].some(
      (name) => names.has(name),
    )
  })

const isSame = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase()

const columnOf = (table: Table, name: string) => {
  const column = table.columns.get(name.toLowerCase())
  if (!column) throw new DefinitionError(`a coluna ${table.name}.${name} não existe`)
  return column
}

const countOf = async (database: Database, source: string): Promise<number> => {
  const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${source}`)
  return Number(row?.[0])
}
