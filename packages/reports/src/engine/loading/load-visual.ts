import type { VisualDefinition } from '../../definitions/definition.ts'
import { DefinitionError } from '../../definitions/definition-error.ts'
import { LEVEL_COLUMN } from '../../wire/wire-names.ts'
import type { AggregationTable, CheckedQuery, Dataset, Table, Visual } from '../data/catalog.ts'
import { type Database, quote } from '../data/database/database.ts'
import { isLong, MAX_IN_FILE_ROW, mostLetters, shownExpression } from '../sql/cell-expressions.ts'
import { belowPath, drillParameter, drillSql, orderBy, type ResultColumn } from '../sql/drill.ts'
import { MATRIX_LEVELS, matrixSql } from '../sql/matrix.ts'
import { rowsBehind } from '../sql/rows-behind.ts'
import { checkMeasure, checkOrder, checkSelect } from '../sql/sql-check.ts'
import { totalsSql } from '../sql/totals.ts'

/** Reports a fault and its place in the visual. */
export type Fail = (place: string, error: unknown) => void

/** Columns of a visual. Pages draw the first 200, and files have all, with the texts of the answer. */
const MAX_COLUMNS = 2_000

/** Checks a visual and all its queries, each run once over no rows; undefined after any fault. */
export const loadVisual = async (
  dataset: Dataset,
  definition: VisualDefinition,
  query: string,
  failHere: Fail,
  check: CheckQuery,
): Promise<Visual | undefined> => {
  let faults = 0
  const fail: Fail = (place, error) => {
    faults++
    failHere(place, error)
  }
  const sql = query.replace(/;\s*$/, '')
  let columns: ResultColumn[]
  try {
    columns = (await check(sql)).columns
  } catch (error) {
    fail('query', error)
    return undefined
  }
  await checkParts(dataset.database, definition, columns, fail)
  const aggregation = aggregationOf(dataset, definition, fail)
  if (faults) return undefined
  const complete = async (visual: Visual): Promise<Visual | undefined> => {
    if (!aggregation) return visual
    try {
      await checkAggregation(dataset.database, visual, aggregation)
      return { ...visual, aggregation }
    } catch (error) {
      fail('summary', error)
      return undefined
    }
  }
  const { drill, matrix, totals, sort } = definition
  try {
    if (drill) {
      const levels: CheckedQuery[] = []
      for (const index of drill.levels.keys()) {
        const parameters = drill.levels.slice(0, index).map((_above, above) => drillParameter(above))
        levels.push(toCheckedQuery(await check(drillSql(drill, index, sql, columns), parameters)))
      }
      return complete(visualOf(definition, levels))
    }
    if (matrix)
      return complete(visualOf(definition, [toMatrixQuery(await check(matrixSql(matrix, sql, columns)))]))
    const type = columns.find(({ name }) => name === sort?.column)?.type ?? ''
    const ordered = sort
      ? `SELECT * FROM (${sql}\n) ORDER BY ${orderBy(sort.column, type, sort.descending)}`
      : sql
    const whole = totals && toCheckedQuery(await check(totalsSql(totals, sql)))
    const visual = visualOf(definition, [toCheckedQuery(await check(ordered))])
    return complete({ ...visual, ...(whole && { totals: whole }) })
  } catch (error) {
    const [place, values] = measuresOf(definition)
    const [name] = await whichFail(values, (one) => check(totalsSql(one, sql)))
    const otherwise = drill?.order ? 'drill.order' : place
    fail(name === undefined ? otherwise : `${place}.${name}`, error)
    return undefined
  }
}

/**
 * Returns queries for the rows that a visual aggregates, one per drill level; undefined when its
 * query has none. Hierarchies and matrices aggregate the rows of their own query.
 * @throws when all columns of these rows cannot be queried, for example because there are too many
 */
export const loadUnderlying = async (
  dataset: Dataset,
  { drill, matrix }: VisualDefinition,
  query: string,
  check: CheckQuery,
): Promise<CheckedQuery[] | undefined> => {
  const sql = query.replace(/;\s*$/, '')
  const rows = drill || matrix ? sql : await rowsBehind(dataset.database, sql)
  if (rows === undefined) return undefined
  const first = await check(rows)
  const deeper = (drill?.levels.slice(1) ?? []).map(async (_level, above) => {
    const parameters = Array.from({ length: above + 1 }, (_, index) => drillParameter(index))
    const below = belowPath(drill?.levels ?? [], above + 1, rows, first.columns)
    return toFileQuery(await check(below, parameters))
  })
  return [toFileQuery(first), ...(await Promise.all(deeper))]
}

/**
 * Returns the rows that a visual aggregates and their column with the id of a beneficiary;
 * undefined when they have none, or when another table's column has the same name.
 */
export const loadBeneficiaries = async (
  dataset: Dataset,
  { definition, queries: [{ reads }] }: Visual,
  query: string,
  check: CheckQuery,
): Promise<Visual['beneficiaries']> => {
  const declared = Object.entries(dataset.definition.tables).flatMap(([table, { beneficiary }]) =>
    beneficiary === undefined ? [] : [{ table: table.toLowerCase(), column: beneficiary.toLowerCase() }],
  )
  const isDeclared = (table: Table, column: string) =>
    declared.some((one) => one.table === table.name.toLowerCase() && one.column === column)
  const sought = declared.find(
    ({ table, column }) =>
      reads.some(({ name }) => name.toLowerCase() === table) &&
      reads.every((one) => !one.columns.has(column) || isDeclared(one, column)),
  )
  if (!sought) return undefined
  const queries = await loadUnderlying(dataset, definition, query, check)
  const found = queries?.[0]?.columns.find(({ name }) => name.toLowerCase() === sought.column)
  return queries && found && { queries, column: found.name }
}

export const measuresOf = ({ drill, matrix, totals }: VisualDefinition): [string, Record<string, string>] => {
  if (drill) return ['drill.values', drill.values]
  return matrix ? ['matrix.values', matrix.values] : ['totals', totals ?? {}]
}

/** Returns the measures that fail even when computed alone. */
const whichFail = async (
  values: Record<string, string>,
  compute: (one: Record<string, string>) => Promise<unknown>,
): Promise<string[]> => {
  const failed: string[] = []
  for (const [name, sql] of Object.entries(values)) {
    await compute({ [name]: sql }).catch(() => failed.push(name))
  }
  return failed
}

const visualOf = (definition: VisualDefinition, [first, ...rest]: CheckedQuery[]): Visual => {
  if (!first) throw new DefinitionError('sem consulta')
  return { definition, columns: first.columns, queries: [first, ...rest] }
}

type Checked = Awaited<ReturnType<typeof checkQuery>>

/** Checks one query, without its rows. */
export type CheckQuery = (sql: string, parameters?: string[]) => Promise<Checked>

/**
 * Returns the check of the queries of one report. Its visuals share many, such as that of the rows
 * behind them; each is checked once.
 */
export const createQueryCheck = (dataset: Dataset, acceptsRetired: boolean): CheckQuery => {
  const checked = new Map<string, Promise<Checked>>()
  return (sql, parameters = []) => {
    const key = JSON.stringify([sql, parameters])
    const known = checked.get(key) ?? checkQuery(dataset, sql, parameters, acceptsRetired)
    checked.set(key, known)
    return known
  }
}

const checkQuery = async (
  { database, tables }: Dataset,
  sql: string,
  parameters: string[],
  acceptsRetired: boolean,
) => {
  const limits = { tables, mayReadHidden: false, parameters, acceptsRetired }
  const { reads, isStored } = await checkSelect(database, sql, limits)
  const columns = await describe(database, { sql, reads, parameters })
  if (columns.length > MAX_COLUMNS) throw new DefinitionError(tooManyColumns(columns.length))
  const texts = columns.filter(({ type }) => isLong(type)).length
  const list = columns.map(({ name, type }) => shownExpression(quote(name), type, texts)).join(', ')
  await database.query(`${wholeTables(reads)}SELECT ${list} FROM (${sql}\n) LIMIT 0`, nulls(parameters))
  return { sql, reads, parameters, isStored, columns }
}

const tooManyColumns = (count: number) =>
  `devolve ${count.toLocaleString('pt-BR')} colunas; o limite é ${MAX_COLUMNS.toLocaleString('pt-BR')}. Escreva em SELECT só as que o visual mostra`

const nulls = (parameters: string[]) => Object.fromEntries(parameters.map((name) => [name, null]))

const describe = async (
  database: Database,
  { sql, reads, parameters }: Pick<CheckedQuery, 'sql' | 'reads' | 'parameters'>,
  instead?: AggregationTable,
): Promise<ResultColumn[]> => {
  const prefix = wholeTables(reads, instead)
  const described = await database.query(`DESCRIBE ${prefix}SELECT * FROM (${sql}\n)`, nulls(parameters))
  return described.map(([name, type]) => ({ name: String(name), type: String(type) }))
}

const wholeTables = (reads: Table[], instead?: AggregationTable) => {
  const sourceOf = (table: Table) => (instead?.table === table ? instead.source : table.source)
  const ctes = reads.map((table) => `${quote(table.name)} AS (SELECT * FROM ${sourceOf(table)})`)
  return ctes.length ? `WITH ${ctes.join(', ')} ` : ''
}

/** Returns the aggregation table that a visual names; undefined when none was worth creating. */
const aggregationOf = (dataset: Dataset, { summary }: VisualDefinition, fail: Fail) => {
  if (summary === undefined) return undefined
  const isIt = ({ name }: { name?: string | undefined }) => name?.toLowerCase() === summary.toLowerCase()
  if (!dataset.definition.summaries.some(isIt))
    fail('summary', `o resumo ${summary} não existe no conjunto de dados`)
  return dataset.aggregations.find(isIt)
}

/** Checks that the queries also run over the aggregation table, with columns of the same types. */
const checkAggregation = async (database: Database, visual: Visual, aggregation: AggregationTable) => {
  const { name, table } = aggregation
  for (const query of [...visual.queries, ...(visual.totals ? [visual.totals] : [])]) {
    if (!query.reads.includes(table))
      throw new DefinitionError(`o resumo ${name} é da tabela ${table.name}, que a consulta não lê`)
    const plain = await describe(database, query)
    const summed = await describe(database, query, aggregation)
    const other = plain.find(({ type }, at) => summed[at]?.type !== type)
    if (other) throw new DefinitionError(`com o resumo ${name}, a coluna ${other.name} seria de outro tipo`)
  }
}

const toCheckedQuery = ({ columns, ...checked }: Checked, mostInRow?: number): CheckedQuery => {
  const texts = columns.filter(({ type }) => isLong(type)).length
  const expressionOf = (name: string, type: string) => shownExpression(quote(name), type, texts, mostInRow)
  return {
    ...checked,
    columns: columns.map(({ name, type }) => ({ name, type, expression: expressionOf(name, type) })),
    mostLetters: mostLetters(texts, mostInRow),
  }
}

/** For rows that only files show. */
const toFileQuery = (checked: Checked): CheckedQuery => toCheckedQuery(checked, MAX_IN_FILE_ROW)

/** Removes the columns that only say which keys are aggregated. */
const toMatrixQuery = (checked: Checked): CheckedQuery => {
  const [rows, columns] = MATRIX_LEVELS
  const { columns: all, ...query } = toCheckedQuery(checked)
  const ours = (name: string) => name.startsWith('#')
  const levels: CheckedQuery['levels'] = [
    `CAST(${quote(rows)} AS DOUBLE)`,
    `CAST(${quote(columns)} AS DOUBLE)`,
  ]
  return { ...query, columns: all.filter(({ name }) => !ours(name)), levels }
}

/** Checks each column that a part names, and each expression alone. */
const checkParts = async (
  database: Database,
  { drill, matrix, totals, sort, conditional }: VisualDefinition,
  columns: ResultColumn[],
  fail: Fail,
) => {
  const mustBe = (known: string[], place: string, name: string) => {
    if (!known.includes(name)) fail(place, `a consulta não devolve a coluna ${name}`)
  }
  const given = columns.map(({ name }) => name)
  let answered = given
  const checkMeasures = async (place: string, values: Record<string, string>, taken: string[]) => {
    for (const [name, sql] of Object.entries(values)) {
      if (taken.some((other) => other.toLowerCase() === name.toLowerCase()))
        fail(`${place}.${name}`, 'o nome já é de uma coluna do resultado')
      await checkMeasure(database, sql).catch((error: unknown) => fail(`${place}.${name}`, error))
    }
  }
  const checkKeys = (places: (readonly [place: string, column: string])[], whole: string) => {
    places.forEach(([place, column], index) => {
      mustBe(given, place, column)
      if (places.findIndex(([, other]) => other === column) < index)
        fail(place, `${column} se repete ${whole}`)
    })
  }
  if (drill) {
    checkKeys(
      drill.levels.map(({ column }, index) => [`drill.levels[${index}].column`, column]),
      'na hierarquia',
    )
    await checkMeasures('drill.values', drill.values, [LEVEL_COLUMN])
    if (Object.keys(drill.values).length === 0) fail('drill.values', 'falta ao menos uma medida')
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
    if (Object.keys(matrix.values).length === 0) fail('matrix.values', 'falta ao menos uma medida')
    answered = [...names, ...Object.keys(matrix.values)]
  }
  if (totals) {
    for (const name of Object.keys(totals)) mustBe(given, `totals.${name}`, name)
    await checkMeasures('totals', totals, [])
  }
  if (sort) mustBe(answered, 'sort.column', sort.column)
  for (const name of Object.keys(conditional)) mustBe(answered, `conditional.${name}`, name)
}
