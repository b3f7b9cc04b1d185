import { MAX_FILTERS } from '../filter-operators.ts'
import { type Dataset, findColumn, type Page, type Report, type Visual } from './catalog.ts'
import { type Database, quote } from './database.ts'
import type { Filter, Target, VisualDefinition } from './definition.ts'
import { compileFilter, FilterError } from './filters.ts'
import { sentenceOf } from './load-dataset.ts'
import type { ReportFile } from './read-definitions.ts'
import { checkSelect, SqlError } from './sql-check.ts'
import { wireExpression } from './wire.ts'

type Warn = (sentence: string) => void

/** Checks a report against its dataset, running each query once over no rows. Any error leaves the report out. */
export async function loadReport(
  database: Database,
  { path, definition }: ReportFile,
  workspaceId: string,
  dataset: Dataset,
  warn: Warn,
): Promise<Report | undefined> {
  const errors: string[] = []
  const fail = (place: string, error: unknown) => errors.push(`${path}: ${place}: ${sentenceOf(error)}`)
  const checkTarget = (place: string, { table, column }: Target) => {
    if (!findColumn(dataset, { table, column }))
      fail(place, `${table}.${column} não existe no conjunto de dados`)
  }
  const checkFilters = (place: string, filters: Filter[]) => {
    filters.forEach((filter, index) => {
      const reason = whyRefused(dataset, filter)
      if (reason) fail(`${place}[${index}]`, reason)
    })
  }

  checkFilters('filters', definition.filters)
  definition.filterPane.forEach(({ target }, index) => {
    checkTarget(`filterPane[${index}].target`, target)
  })
  const pages: Page[] = []
  for (const [index, page] of definition.pages.entries()) {
    const place = `pages[${index}]`
    if (isRepeated(definition.pages, index)) fail(`${place}.name`, `${page.name} se repete`)
    checkFilters(`${place}.filters`, page.filters)
    if (definition.filters.length + page.filters.length > MAX_FILTERS)
      fail(`${place}.filters`, new SqlError(`no máximo ${MAX_FILTERS} filtros, com os do relatório`))
    const visuals: Visual[] = []
    for (const [position, visual] of page.visuals.entries()) {
      const where = `${place}.visuals[${position}]`
      if (isRepeated(page.visuals, position)) fail(`${where}.name`, `${visual.name} se repete`)
      if (visual.select) checkTarget(`${where}.select.target`, visual.select.target)
      if (visual.slicer) checkTarget(`${where}.slicer.target`, visual.slicer.target)
      const { query } = visual
      if (query === undefined) continue
      try {
        const loaded = await loadVisual(database, dataset, visual, query)
        visuals.push(loaded)
        warnOfUnknownColumns(loaded, (at, sentence) => warn(`${path}: ${where}.${at}: ${sentence}`))
      } catch (error) {
        fail(`${where}.query`, error)
      }
    }
    pages.push({ definition: page, visuals })
  }
  errors.forEach(warn)
  if (errors.length) return undefined
  return { id: definition.id.toLowerCase(), workspaceId, dataset, definition, pages }
}

async function loadVisual(
  database: Database,
  dataset: Dataset,
  definition: VisualDefinition,
  query: string,
): Promise<Visual> {
  const limits = { tables: dataset.tables, mayReadHidden: false, parameters: [] }
  const { reads } = await checkSelect(database, query, limits)
  const sql = query.replace(/;\s*$/, '')
  const ctes = reads.map(({ name, source }) => `${quote(name)} AS (SELECT * FROM ${source})`)
  const prefix = ctes.length ? `WITH ${ctes.join(', ')} ` : ''
  const described = await database.query(`DESCRIBE ${prefix}SELECT * FROM (${sql}\n)`)
  const columns = described.map(([name, type]) => ({
    name: String(name),
    expression: wireExpression(quote(String(name)), String(type)),
  }))
  const list = columns.map(({ expression }) => expression).join(', ')
  await database.query(`${prefix}SELECT ${list} FROM (${sql}\n) LIMIT 0`)
  return { definition, sql, reads, columns }
}

function warnOfUnknownColumns({ definition, columns }: Visual, warn: (at: string, sentence: string) => void) {
  const known = new Set(columns.map(({ name }) => name))
  for (const part of ['format', 'labels'] as const) {
    for (const name of Object.keys(definition[part])) {
      if (!known.has(name)) warn(`${part}.${name}`, 'a consulta não devolve esta coluna')
    }
  }
  if (definition.select && !known.has(definition.select.column)) {
    warn('select.column', `a consulta não devolve a coluna ${definition.select.column}`)
  }
}

function whyRefused(dataset: Dataset, filter: Filter): string | undefined {
  try {
    compileFilter(dataset, filter, () => '')
    return undefined
  } catch (error) {
    if (error instanceof FilterError) return error.message
    throw error
  }
}

const isRepeated = (named: { name: string }[], index: number) =>
  named.findIndex(({ name }) => name === named[index]?.name) < index
