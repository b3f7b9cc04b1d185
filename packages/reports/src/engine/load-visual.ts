import { isDeepStrictEqual } from 'node:util'
import { LEVEL_COLUMN } from '../wire-names.ts'
import type { Dataset, Shape, Summary, Table, Visual } from './catalog.ts'
import { type Database, quote } from './database.ts'
import type { VisualDefinition } from './definition.ts'
import { type Described, drillSql, inOrder, openedAt } from './drill.ts'
import { MATRIX_LEVELS, matrixSql } from './matrix.ts'
import { checkMeasure, checkOrder, checkSelect, SqlError } from './sql-check.ts'
import { isProven } from './summary-proof.ts'
import { totalsSql } from './totals.ts'
import { shownExpression } from './wire.ts'

/** Reports a fault and its place in the visual. */
export type Fail = (place: string, error: unknown) => void

const MOST_COLUMNS = 500

/** Checks a visual and all its queries, each run once over no rows; undefined after any fault. */
export async function loadVisual(
  database: Database,
  dataset: Dataset,
  definition: VisualDefinition,
  query: string,
  failHere: Fail,
): Promise<Visual | undefined> {
  let faults = 0
  const fail: Fail = (place, error) => {
    faults++
    failHere(place, error)
  }
  const check = (sql: string, parameters: string[] = []) => checkShape(database, dataset, sql, parameters)
  const sql = query.replace(/;\s*$/, '')
  let columns: Described[]
  try {
    columns = (await check(sql)).columns
    if (columns.length > MOST_COLUMNS)
      throw new SqlError(`devolve ${columns.length} colunas; o limite é ${MOST_COLUMNS}`)
  } catch (error) {
    fail('query', error)
    return undefined
  }
  await checkParts(database, definition, columns, fail)
  if (faults) return undefined
  const { drill, matrix, totals, sort } = definition
  try {
    if (drill) {
      const levels: Shape[] = []
      for (const index of drill.levels.keys()) {
        const opened = drill.levels.slice(0, index).map((_above, above) => openedAt(above))
        levels.push(shapeOf(await check(drillSql(drill, index, sql, columns), opened)))
      }
      return visualOf(definition, levels)
    }
    if (matrix) return visualOf(definition, [matrixShape(await check(matrixSql(matrix, sql, columns)))])
    const type = columns.find(({ name }) => name === sort?.column)?.type ?? ''
    const ordered = sort
      ? `SELECT * FROM (${sql}\n) ORDER BY ${inOrder(sort.column, type, sort.descending)}`
      : sql
    const whole = totals && shapeOf(await check(totalsSql(totals, sql)))
    return { ...visualOf(definition, [shapeOf(await check(ordered))]), ...(whole && { totals: whole }) }
  } catch (error) {
    const [place, values] = measuresOf(definition)
    const [name] = await whichFail(values, (one) => check(totalsSql(one, sql)))
    const otherwise = drill?.order ? 'drill.order' : place
    fail(name === undefined ? otherwise : `${place}.${name}`, error)
    return undefined
  }
}

const measuresOf = ({ drill, matrix, totals }: VisualDefinition): [string, Record<string, string>] => {
  if (drill) return ['drill.values', drill.values]
  return matrix ? ['matrix.values', matrix.values] : ['totals', totals ?? {}]
}

/** Returns the measures that fail even when computed alone. */
async function whichFail(
  values: Record<string, string>,
  compute: (one: Record<string, string>) => Promise<unknown>,
): Promise<string[]> {
  const failed: string[] = []
  for (const [name, sql] of Object.entries(values)) {
    await compute({ [name]: sql }).catch(() => failed.push(name))
  }
  return failed
}

const visualOf = (definition: VisualDefinition, [first, ...rest]: Shape[]): Visual => {
  if (!first) throw new SqlError('sem consulta')
  return { definition, columns: first.columns, shapes: [first, ...rest] }
}

type Checked = Awaited<ReturnType<typeof checkShape>>

async function checkShape(database: Database, dataset: Dataset, sql: string, parameters: string[]) {
  const { tables } = dataset
  const { reads, tree } = await checkSelect(database, sql, { tables, mayReadHidden: false, parameters })
  const nothing = Object.fromEntries(parameters.map((name) => [name, null]))
  const describe = async (instead?: readonly [Table, Summary]) => {
    const prefix = wholeTables(reads, instead)
    const described = await database.query(`DESCRIBE ${prefix}SELECT * FROM (${sql}\n)`, nothing)
    return described.map(([name, type]) => ({ name: String(name), type: String(type) }))
  }
  const columns = await describe()
  const list = columns.map(({ name, type }) => shownExpression(quote(name), type, columns.length)).join(', ')
  await database.query(`${wholeTables(reads)}SELECT ${list} FROM (${sql}\n) LIMIT 0`, nothing)

  const summaries: Shape['summaries'] = new Map()
  for (const table of reads) {
    const proven: Summary[] = []
    for (const summary of dataset.summaries.get(table) ?? []) {
      if (!isProven(tree, tables, table, summary)) continue
      // A sum of sums may have another type, which would change later computations.
      if (isDeepStrictEqual(await describe([table, summary]), columns)) proven.push(summary)
    }
    if (proven.length) summaries.set(table, proven)
  }
  return { sql, reads, columns, summaries }
}

const wholeTables = (reads: Table[], instead?: readonly [Table, Summary]) => {
  const sourceOf = (table: Table) => (instead?.[0] === table ? instead[1].source : table.source)
  const ctes = reads.map((table) => `${quote(table.name)} AS (SELECT * FROM ${sourceOf(table)})`)
  return ctes.length ? `WITH ${ctes.join(', ')} ` : ''
}

const shapeOf = ({ columns, ...checked }: Checked): Shape => ({
  ...checked,
  columns: columns.map(({ name, type }) => ({
    name,
    expression: shownExpression(quote(name), type, columns.length),
  })),
})

/** Removes the columns that only say which keys are aggregated. */
function matrixShape(checked: Checked): Shape {
  const [rows, columns] = MATRIX_LEVELS
  const { columns: all, ...shape } = shapeOf(checked)
  const ours = (name: string) => name.startsWith('#')
  const levels: Shape['levels'] = [`CAST(${quote(rows)} AS DOUBLE)`, `CAST(${quote(columns)} AS DOUBLE)`]
  return { ...shape, columns: all.filter(({ name }) => !ours(name)), levels }
}

/** Checks each column that a part names, and each expression alone. */
async function checkParts(
  database: Database,
  { drill, matrix, totals, sort, conditional }: VisualDefinition,
  columns: Described[],
  fail: Fail,
) {
  const mustBe = (known: string[], place: string, name: string) => {
    if (!known.includes(name)) fail(place, new SqlError(`a consulta não devolve a coluna ${name}`))
  }
  const given = columns.map(({ name }) => name)
  let answered = given
  const checkMeasures = async (place: string, values: Record<string, string>, taken: string[]) => {
    for (const [name, sql] of Object.entries(values)) {
      if (taken.some((other) => other.toLowerCase() === name.toLowerCase()))
        fail(`${place}.${name}`, new SqlError('o nome já é de uma coluna do resultado'))
      await checkMeasure(database, sql).catch((error: unknown) => fail(`${place}.${name}`, error))
    }
  }
  const checkKeys = (places: (readonly [place: string, column: string])[], whole: string) => {
    places.forEach(([place, column], index) => {
      mustBe(given, place, column)
      if (places.findIndex(([, other]) => other === column) < index)
        fail(place, new SqlError(`${column} se repete ${whole}`))
    })
  }
  if (drill) {
    checkKeys(
      drill.levels.map(({ column }, index) => [`drill.levels[${index}].column`, column]),
      'na hierarquia',
    )
    await checkMeasures('drill.values', drill.values, [LEVEL_COLUMN])
    if (Object.keys(drill.values).length === 0)
      fail('drill.values', new SqlError('falta ao menos uma medida'))
    if (drill.order)
      await checkOrder(database, drill.order).catch((error: unknown) => fail('drill.order', error))
    answered = [LEVEL_COLUMN, ...Object.keys(drill.values)]
  }
  if (matrix) {
    const keys = [
      ...matrix.rows.map((column, index) => [`matrix.rows[${index}]`, column] as const),
      ...matrix.columns.map((column, index) => [`matrix.columns[${index}]`, column] as const),
    ]
    checkKeys(keys, 'na matriz')
    const names = keys.map(([, column]) => column)
    await checkMeasures('matrix.values', matrix.values, names)
    if (Object.keys(matrix.values).length === 0)
      fail('matrix.values', new SqlError('falta ao menos uma medida'))
    answered = [...names, ...Object.keys(matrix.values)]
  }
  if (totals) {
    for (const name of Object.keys(totals)) mustBe(given, `totals.${name}`, name)
    await checkMeasures('totals', totals, [])
  }
  if (sort) mustBe(answered, 'sort.column', sort.column)
  for (const name of Object.keys(conditional)) mustBe(answered, `conditional.${name}`, name)
}
