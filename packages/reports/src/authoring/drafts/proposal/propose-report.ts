import type { ColumnFormat } from '../../../definitions/definition.ts'
import type { DraftColumn } from '../reading/read-draft.ts'
import { type ColumnUse, isMoney, rankOf, type TimeColumns, timeAmong, usesOf } from './column-uses.ts'

type Box = { x: number; y: number; width: number; height: number }

/** A slicer with more values is searched. */
const LISTED_VALUES = 12
/** Columns and rows of the page with the rows behind the numbers. */
const MAX_SHOWN = 12
const MAX_ROWS = 1_000

/** A column with what the report does with it. */
type Used = DraftColumn & { use: ColumnUse }

type Draft = { table: string; rows: number; columns: Used[]; time: Time | undefined }
/** `month`, `exact`: SQL of the first day of the month, and of the period as the file has it. */
type Time = TimeColumns<Used> & { month: string; exact: string; isMonth: boolean }

/**
 * `sql` is an aggregate; `where` restricts it to the last period. `count` is the SQL of the number
 * of rows that it reads; undefined for the number of rows itself.
 */
type Measure = {
  column: string
  sql: string
  label: string
  format: ColumnFormat
  use: ColumnUse
  where: string
  count?: string
}

type Proposal = {
  report: Record<string, unknown>
  /** What became of the columns, as sentences. */
  explanation: string[]
}

/**
 * Proposes a report of a table: cards with the number of rows and the first measures, slicers of
 * two groups, the first measure by month and by group, and a page with the rows behind the numbers.
 * Codes, months and years are not summed, shares and averages are averaged, and amounts that each
 * period counts again are those of the last period.
 */
export const proposeReport = (
  table: string,
  columns: DraftColumn[],
  { id, dataset, name, rows }: { id: string; dataset: string; name: string; rows: number },
): Proposal => {
  const uses = usesOf(columns, rows)
  const used = columns.map((column, index): Used => ({ ...column, use: uses[index] ?? 'none' }))
  const draft = { table, rows, columns: used, time: timeOf(timeAmong(used, uses)) }
  const groups = used.filter(({ use }) => use === 'group').slice(0, 2)
  const measures = used
    .filter(({ use }) => use === 'sum' || use === 'stock' || use === 'average')
    .toSorted((one, other) => rankOf(one, one.use, columns) - rankOf(other, other.use, columns))
    .map((column) => measureOf(draft, column))
  const report = {
    id,
    name,
    dataset,
    pages: [overview(draft, measures, groups), rowsBehind(draft, groups)],
  }
  return { report, explanation: explain(draft) }
}

const COUNT: Measure = {
  column: 'total_de_linhas',
  sql: 'count(*)',
  label: 'Linhas',
  format: 'inteiro',
  use: 'sum',
  where: '',
}

const overview = (draft: Draft, measures: Measure[], groups: Used[]) => {
  const { time } = draft
  const main = measures[0] ?? COUNT
  const [first] = groups
  const cards = [COUNT, ...measures].slice(0, 3)
  const places = rowOf(cards.length + groups.length)
  const left: Box = { x: 24, y: 208, width: first && time ? 616 : 1232, height: 488 }
  const right: Box = { x: 664, y: 208, width: 592, height: 488 }
  const visuals = [
    ...cards.map((measure, index) => ({
      name: `total_${index + 1}`,
      layout: places[index],
      ...cardOf(draft, measure),
    })),
    ...groups.map((column, index) => slicerOf(draft, column, index, places[cards.length + index])),
    ...(time ? [overTime(draft.table, time, main, left)] : []),
    ...(first ? [byGroup(draft.table, first, main, time ? right : left)] : []),
    ...(!time && !first ? [rowsOf(draft, left)] : []),
  ]
  return { name: 'geral', displayName: 'Visão geral', visuals }
}

/** The rows that the numbers of the first page count, with the same slicers. */
const rowsBehind = (draft: Draft, groups: Used[]) => {
  const places = rowOf(groups.length)
  const top = groups.length > 0 ? 208 : 24
  const slicers = groups.map((column, index) => slicerOf(draft, column, index, places[index]))
  const layout = { x: 24, y: top, width: 1232, height: 696 - top }
  return { name: 'linhas', displayName: 'Linhas', visuals: [...slicers, rowsOf(draft, layout)] }
}

const timeOf = (columns: TimeColumns<Used> | undefined): Time | undefined => {
  if (!columns) return undefined
  const { column, year } = columns
  const { name, evidence } = column
  const format = year ? '%Y-%m' : evidence.month
  if (format) {
    const text = year ? `concat(${textOf(year)}, '-', ${monthOf(column)})` : textOf(column)
    // A later file may have a month that does not exist: it is left out.
    const month = `try_strptime(${text}, '${format}')::DATE`
    return { column, year, month, exact: month, isMonth: true }
  }
  return { column, year, month: `date_trunc('month', ${name})::DATE`, exact: `${name}::DATE`, isMonth: false }
}

/** A double, which a column of whole numbers may become, writes 202508.0. */
const textOf = ({ name, type }: Used): string =>
  type === 'text' ? `trim(${name})` : `TRY_CAST(${name} AS HUGEINT)::VARCHAR`

/** SQL of the number of a month that the file has as a name or as a number. */
const monthOf = (column: Used): string => {
  if (column.evidence.yearlessMonth === 'number') return textOf(column)
  const names = 'jan fev mar abr mai jun jul ago set out nov dez'.split(' ').map((one) => `'${one}'`)
  return `list_position([${names.join(', ')}], left(lower(trim(${column.name})), 3))`
}

/** Shares and averages are averaged, amounts are summed. */
const measureOf = ({ table, columns, time }: Draft, column: Used): Measure => {
  const { name, label, use } = column
  const aggregate = use === 'average' ? 'avg' : 'sum'
  const where =
    use === 'stock' && time ? `WHERE ${time.exact} = (SELECT max(${time.exact}) FROM ${table})` : ''
  return {
    column: name,
    sql: `${aggregate}(${name})`,
    label: use === 'average' ? averageLabel(label) : label.slice(0, MAX_LABEL),
    format: formatOf(column, columns),
    use,
    where,
    count: `count(${name})`,
  }
}

/** Letters of the label of a measure. */
const MAX_LABEL = 60
/** A reader must not take an average for a sum. */
const averageLabel = (label: string): string => {
  if (/m[eé]di[ao]/i.test(label)) return label.slice(0, MAX_LABEL)
  const ending = ' (média)'
  return label.slice(0, MAX_LABEL - ending.length).trim() + ending
}

const formatOf = (column: Used, columns: DraftColumn[]): ColumnFormat => {
  if (column.shownAs === 'percent') return 'percentual'
  if (isMoney(column, columns)) return 'moeda'
  return column.type === 'integer' && column.use !== 'average' ? 'inteiro' : 'decimal2'
}

/** A card names the rows that it counts, or the period of which it is. */
const cardOf = ({ table, time }: Draft, { column, sql, label, format, use, where, count }: Measure) => {
  const card = { type: 'card', title: label }
  if (count === undefined)
    return { ...card, query: `SELECT ${sql} AS ${column} FROM ${table}`, format: { [column]: format } }
  const detail = freeName(where ? 'ultimo_periodo' : 'linhas_lidas', column)
  const value = where && time ? `max(${time.exact})` : count
  // On one line: a fault is shown at the line of its query.
  const query = `SELECT ${sql} AS ${column}, ${value} AS ${detail} FROM ${table}${where && ` ${where}`}`
  const named = use === 'average' ? 'Média de linhas:' : 'Linhas somadas:'
  return {
    ...card,
    query,
    format: { [column]: format, [detail]: where ? (time?.isMonth ? 'mes' : 'data') : 'inteiro' },
    labels: { [column]: label, [detail]: where ? 'Último período:' : named },
    option: { value: column, detail },
  }
}

const freeName = (name: string, taken: string) =>
  name.toLowerCase() === taken.toLowerCase() ? `${name}_2` : name

const slicerOf = ({ table }: Draft, column: Used, index: number, layout: Box | undefined) => ({
  name: `filtro_${index + 1}`,
  type: 'slicer',
  title: column.label.slice(0, 120),
  layout,
  slicer: {
    target: { table, column: column.name },
    ...(column.distinct > LISTED_VALUES ? { style: 'search' } : {}),
  },
})

/** Returns places side by side in the first row. */
const rowOf = (count: number): Box[] => {
  const gap = 16
  const width = Math.floor((1232 - gap * (count - 1)) / count)
  return Array.from({ length: count }, (_, index) => ({
    x: 24 + index * (width + gap),
    y: 24,
    width,
    height: 160,
  }))
}

const overTime = (table: string, { month, exact, isMonth, column }: Time, measure: Measure, layout: Box) => {
  // Two counts of a stock in one month are not added.
  const byDay = measure.use === 'stock' && !isMonth
  const period = freeName(byDay ? 'dia' : 'inicio_do_mes', measure.column)
  return {
    name: 'por_mes',
    type: 'line',
    title: `${measure.label} por ${byDay ? column.label : 'mês'}`.slice(0, 120),
    layout,
    query: [
      `SELECT ${byDay ? exact : month} AS ${period}, ${measure.sql} AS ${measure.column}`,
      `FROM ${table}`,
      `WHERE ${exact} IS NOT NULL`,
      `GROUP BY ${period}`,
      `ORDER BY ${period}`,
    ],
    format: { [period]: byDay ? 'data' : 'mes', [measure.column]: measure.format },
    labels: { [period]: byDay ? column.label : 'Mês', [measure.column]: measure.label },
  }
}

/** Bars of a chart by group. */
const MAX_GROUPS = 15

const byGroup = (table: string, group: Used, measure: Measure, layout: Box) => ({
  name: 'por_dimensao',
  type: 'bar',
  title: groupTitle(group, measure),
  subtitle: `${measure.where ? 'No último período. ' : ''}Clique numa barra para ver só ela`,
  layout,
  query: [
    `SELECT ${group.name}, ${measure.sql} AS ${measure.column}`,
    `FROM ${table}`,
    ...(measure.where ? [measure.where] : []),
    `GROUP BY ${group.name}`,
    `ORDER BY ${measure.column} DESC`,
    `LIMIT ${MAX_GROUPS}`,
  ],
  format: { [measure.column]: measure.format },
  labels: { [measure.column]: measure.label },
  select: { target: { table, column: group.name }, column: group.name },
})

/** Later data may have more groups, of which the chart shows the greatest. */
const groupTitle = (group: Used, measure: Measure): string => {
  const ending = group.distinct > MAX_GROUPS ? `: os ${MAX_GROUPS} maiores` : ''
  return `${measure.label} por ${group.label}`.slice(0, 120 - ending.length) + ending
}

const rowsOf = ({ table, rows, columns }: Draft, layout: Box) => {
  const shown = columns.slice(0, MAX_SHOWN)
  const left = columns.length > MAX_SHOWN ? `As primeiras ${MAX_SHOWN} colunas. ` : ''
  const first = `As primeiras ${MAX_ROWS.toLocaleString('pt-BR')} linhas que os filtros deixam`
  return {
    name: 'linhas',
    type: 'table',
    title: 'Linhas por trás dos números',
    ...(rows > MAX_ROWS || left ? { subtitle: `${left}${first}` } : {}),
    layout,
    query: `SELECT ${shown.map(({ name }) => name).join(', ')} FROM ${table} LIMIT ${MAX_ROWS}`,
    labels: Object.fromEntries(shown.map(({ name, label }) => [name, label])),
    format: Object.fromEntries(
      shown.flatMap((column) => {
        const format = rowFormatOf(column, columns)
        return format ? [[column.name, format]] : []
      }),
    ),
  }
}

/** Codes, months and years have no point between their digits. */
const rowFormatOf = (column: Used, columns: DraftColumn[]): ColumnFormat | undefined => {
  if (column.type !== 'number' && column.type !== 'integer') return undefined
  if (column.use === 'code' || column.use === 'time') return 'texto'
  const format = formatOf(column, columns)
  return format === 'moeda' || format === 'percentual' ? format : undefined
}

const list = new Intl.ListFormat('pt-BR')
const MAX_NAMED = 8

/** Says what became of the columns, for the author who checks the proposal. */
const explain = ({ columns, time }: Draft): string[] => {
  const of = (...uses: ColumnUse[]) =>
    columns.filter((column) => uses.includes(column.use)).map(({ label }) => label)
  const sentences: [string, string[]][] = [
    ['Somadas', of('sum')],
    ['Contadas em cada período, e por isso só as do último são somadas', of('stock')],
    ['Médias', of('average')],
    ['No eixo do tempo', time ? [...(time.year ? [time.year.label] : []), time.column.label] : []],
    ['Em filtros e grupos', of('group')],
    ['Códigos, anos e meses, que não são somados', of('code')],
  ]
  return sentences.flatMap(([what, labels]) =>
    labels.length > 0 ? [ended(`${what}: ${named(labels)}`)] : [],
  )
}

/** The last heading may end in a point: 'hab.' */
const ended = (sentence: string): string => (sentence.endsWith('.') ? sentence : `${sentence}.`)

const named = (labels: string[]): string => {
  const shown = labels.slice(0, MAX_NAMED).map((label) => label.slice(0, 60))
  const more = labels.length - shown.length
  return list.format(more > 0 ? [...shown, `mais ${more}`] : shown)
}
