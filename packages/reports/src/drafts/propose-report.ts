import type { ColumnFormat } from '../engine/definitions/definition.ts'
import type { DraftColumn } from './read-draft.ts'

type Box = { x: number; y: number; width: number; height: number }

/** A text with this many different values is a dimension; with more it is a name or a note. */
const MOST_VALUES = 60
/** A slicer with more values is searched. */
const LISTED_VALUES = 12

/**
 * Proposes a report of a table: cards with the number of rows and the first amounts, money before
 * other numbers, slicers of two dimensions, and the first amount by month and by dimension; without
 * either, the rows as a table.
 */
export function proposeReport(
  table: string,
  columns: DraftColumn[],
  { id, dataset, name }: { id: string; dataset: string; name: string },
): Record<string, unknown> {
  const dimensions = columns.filter(isDimension)
  const date = columns.find(({ type }) => type === 'date' || type === 'timestamp')
  const measures = columns
    .filter(isMeasure)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(measureOf)
  const count = {
    column: 'total_de_linhas',
    sql: 'count(*)',
    label: 'Linhas',
    format: 'inteiro',
  } satisfies Measure
  const main = measures[0] ?? count
  const [first, second] = dimensions
  const cards = [count, ...measures].slice(0, 3)
  const slicers = [first, second].filter((one) => one !== undefined)
  const places = rowOf(cards.length + slicers.length)
  const left: Box = { x: 24, y: 208, width: first && date ? 616 : 1232, height: 488 }
  const right: Box = { x: 664, y: 208, width: 592, height: 488 }
  const visuals = [
    ...cards.map((measure, index) => ({
      name: `total_${index + 1}`,
      type: 'card',
      title: measure.label,
      layout: places[index],
      query: `SELECT ${measure.sql} AS ${measure.column} FROM ${table}`,
      format: { [measure.column]: measure.format },
    })),
    ...slicers.map((column, index) => ({
      name: `filtro_${index + 1}`,
      type: 'slicer',
      title: column.label.slice(0, 120),
      layout: places[cards.length + index],
      slicer: {
        target: { table, column: column.name },
        ...(column.distinct > LISTED_VALUES ? { style: 'search' } : {}),
      },
    })),
    ...(date ? [overTime(table, date, main, left)] : []),
    ...(first ? [byDimension(table, first, main, date ? right : left)] : []),
    ...(!date && !first ? [everything(table, columns, left)] : []),
  ]
  return { id, name, dataset, pages: [{ name: 'geral', displayName: 'Visão geral', visuals }] }
}

type Measure = { column: string; sql: string; label: string; format: ColumnFormat }

const isDimension = ({ type, distinct, isKey }: DraftColumn) =>
  (type === 'text' || type === 'boolean') && distinct > 1 && distinct <= MOST_VALUES && !isKey

/** Money first. An integer may be a key that repeats, such as a member's number: it comes last. */
const rankOf = (column: DraftColumn): number => {
  if (isMoney(column)) return 0
  return column.type === 'number' ? 1 : 2
}

const isMoney = ({ shownAs, label }: DraftColumn): boolean =>
  shownAs === 'money' ||
  (shownAs === undefined && /valor|custo|pre[cç]o|receita|despesa|pago|r\$/i.test(label))

/** A number that is no key, no code and no year. */
const isMeasure = ({ type, label, isKey }: DraftColumn) =>
  type === 'number' ||
  (type === 'integer' &&
    !isKey &&
    !/^(id|c[oó]d|c[oó]digo|n[ºo°]?|n[uú]mero|ano|m[eê]s|cep|cpf|cnpj|matr[ií]cula|carteirinha)\b/i.test(
      label,
    ))

/** Shares are averaged, amounts are summed. */
function measureOf(column: DraftColumn): Measure {
  const { name, label, type } = column
  const notation = notationOf(column)
  return {
    column: name,
    sql: `${notation === 'percentual' ? 'avg' : 'sum'}(${name})`,
    label: label.slice(0, 60),
    format: notation ?? (type === 'integer' ? 'inteiro' : 'decimal2'),
  }
}

/** The format of amounts of money and of shares; undefined for other columns. */
function notationOf(column: DraftColumn): 'moeda' | 'percentual' | undefined {
  if (column.type !== 'number' && column.type !== 'integer') return undefined
  if (column.shownAs === 'percent') return 'percentual'
  return isMoney(column) ? 'moeda' : undefined
}

/** Returns places side by side in the first row. */
function rowOf(count: number): Box[] {
  const gap = 16
  const width = Math.floor((1232 - gap * (count - 1)) / count)
  return Array.from({ length: count }, (_, index) => ({
    x: 24 + index * (width + gap),
    y: 24,
    width,
    height: 160,
  }))
}

const overTime = (table: string, date: DraftColumn, measure: Measure, layout: Box) => ({
  name: 'por_mes',
  type: 'line',
  title: `${measure.label} por mês`,
  layout,
  query: [
    `SELECT date_trunc('month', ${date.name})::DATE AS inicio_do_mes, ${measure.sql} AS ${measure.column}`,
    `FROM ${table}`,
    `WHERE ${date.name} IS NOT NULL`,
    'GROUP BY inicio_do_mes',
    'ORDER BY inicio_do_mes',
  ],
  format: { inicio_do_mes: 'mes', [measure.column]: measure.format },
  labels: { inicio_do_mes: 'Mês', [measure.column]: measure.label },
})

const byDimension = (table: string, dimension: DraftColumn, measure: Measure, layout: Box) => ({
  name: 'por_dimensao',
  type: 'bar',
  title: `${measure.label} por ${dimension.label}`.slice(0, 120),
  subtitle: 'Clique numa barra para ver só ela',
  layout,
  query: [
    `SELECT ${dimension.name}, ${measure.sql} AS ${measure.column}`,
    `FROM ${table}`,
    `GROUP BY ${dimension.name}`,
    `ORDER BY ${measure.column} DESC`,
    'LIMIT 15',
  ],
  format: { [measure.column]: measure.format },
  labels: { [measure.column]: measure.label },
  select: { target: { table, column: dimension.name }, column: dimension.name },
})

const everything = (table: string, columns: DraftColumn[], layout: Box) => {
  const shown = columns.slice(0, 12)
  return {
    name: 'linhas',
    type: 'table',
    title: 'Linhas',
    layout,
    query: `SELECT ${shown.map(({ name }) => name).join(', ')} FROM ${table} LIMIT 500`,
    labels: Object.fromEntries(shown.map(({ name, label }) => [name, label])),
    format: Object.fromEntries(
      shown.flatMap((column) => {
        const format = notationOf(column)
        return format ? [[column.name, format]] : []
      }),
    ),
  }
}
