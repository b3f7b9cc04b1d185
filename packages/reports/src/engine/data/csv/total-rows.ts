import { type Database, literal, quote } from '../database/database.ts'
import type { ChosenColumn } from './csv-choice.ts'
import { numbered, RECORD, type Rows } from './csv-remarks.ts'
import { isMissingSql, strippedSql } from './field-sql.ts'
import { LONG_DASHES, looksLikeNumber, withHyphens } from './number-texts.ts'

/*
 * Rows of totals, which sums would count again. Their label says so, or the last rows have the sums or
 * the averages of the rows above.
 */

/** 'Total', 'Soma', 'Subtotal Norte', 'Total geral de março'; a company may be called Total Saúde. */
const TOTAL =
  '((valor )?(total|totais)|somas?|somat[oó]ri[oa]s?)|(sub-?total|sub-?totais|(total|soma) geral|totais gerais)([^[:alnum:]].*)?'
/**
 * 'Total do setor A', or 'Setor A Total' as subtotals and pivot tables of spreadsheets have it. A name may
 * read like that, so the other cells of the row decide.
 */
const NAMED_TOTAL = '(?i)^tota(l|is)[^[:alnum:]]|[^[:alnum:]]tota(l|is)$'
const isNamedTotal = /^tota(l|is)[^\p{L}\d]|[^\p{L}\d]tota(l|is)$/iu
const OF_A_GROUP = /^tota(l|is)[^\p{L}\d]+(d[aeo]s?|gera(l|is)|por)([^\p{L}]|$)/iu
/** How such names begin, for a look at all cells of a file: LIKE is the fastest one. */
const NAMED_PREFIXES = ['Tota%', 'TOTA%', 'tota%']
/** How they end, which is looked for only above a grand total. */
const NAMED_ENDS = ['%Total', '%TOTAL', '%total']
/** Such rows that are looked at. */
const MAX_NAMED = 10_000
/** Forms of them: each has the same cells. */
const MAX_FORMS = 10
/** A category may be called so too: 'Alta', 'Média', 'Baixa'. */
const AVERAGE = /^m[ée]dias?( geral)?[ :]*$/i
/** The balance of a bank statement, which is in the column of its movements. */
const BALANCE =
  '(s ?a ?l ?d ?o|saldo (anterior|inicial|final|atual|parcial|total|dispon[ií]vel|bloqueado|do dia|em [0-9/]+))[ :]*'
/** Headings of what a statement says of each movement. */
const MOVEMENTS = /^(descri[cç][aã]o|hist[oó]rico|lan[cç]amentos?|opera[cç][aã]o|movimenta[cç][aã]o)/i
/** What all other rows are parts of, if it has their sums: the first or the last row. */
const WHOLE = /^(brasil|pa[ií]s|geral|consolidado|todos|todas)([ :(].*)?$/i

/** SQL that is true for a row of totals, by the text columns. */
export const isTotalSql = (names: string[]) =>
  names
    .map(
      (name) =>
        `coalesce(regexp_full_match(lower(rtrim(trim(${quote(name)}), ' :')), '${TOTAL}', 's'), false)`,
    )
    .join(' OR ')

/** Rows whose numbers or empty cells show that they are totals or averages. */
export interface SummaryRows {
  /** SQL that is true for them. */
  tests: string[]
  hasAverages: boolean
  /** SQL that is true for the balances of a statement. */
  balances: string[]
}
export const NO_SUMMARIES: SummaryRows = { tests: [], hasAverages: false, balances: [] }

/** A file may have a row of totals, one of averages, and one without anything. */
const LAST = 3
/** Fewer rows above have no sum of their own. */
const FEWEST_ABOVE = 2

type Candidate = {
  record: number
  texts: (string | null)[]
  /** It has the word of an average. */
  isAverage: boolean
  /** It has a word for what the other rows are parts of. */
  isWhole: boolean
  numbers: number[]
}

/**
 * Finds the rows called 'Total do setor A', and summaries among the last rows. A summary has numbers only, or
 * the word of an average or of the whole, and at least half of its numbers are the sums or the averages of
 * their columns. The first row may be one only if it names the whole.
 * @param records a relation with one VARCHAR per column
 * @param rows how many it has
 */
export const findSummaryRows = async (
  database: Database,
  records: string,
  columns: string[],
  rows: number,
): Promise<SummaryRows> => {
  if (columns.length < 2) return NO_SUMMARIES
  const list = columns.map(
    (name) => `CASE WHEN NOT ${isMissingSql(strippedSql(name))} THEN ${strippedSql(name)} END`,
  )
  const all = `(SELECT row_number() OVER ()::DOUBLE AS ${RECORD}, * FROM ${records})`
  const rowsWith = (test: string) =>
    database.load(
      `SELECT ${RECORD}, ${isTotalSql(columns)}, ${list.join(', ')} FROM ${all} WHERE ${test}
       ORDER BY ${RECORD} BETWEEN 2 AND ${rows - LAST}, 1 LIMIT ${1 + LAST + MAX_NAMED}`,
    )
  const found = await rowsWith(
    `${RECORD} = 1 OR ${RECORD} > ${rows - LAST} OR ${isLikelySql(columns, NAMED_PREFIXES)}`,
  )
  const hasGrandTotal = found.some(([record, isTotal]) => Number(record) > rows - LAST && isTotal === true)
  const ends = hasGrandTotal
    ? await rowsWith(`${RECORD} BETWEEN 2 AND ${rows - LAST} AND (${isLikelySql(columns, NAMED_ENDS)})`)
    : []
  const read = [...found, ...ends].map(([record, isTotal, ...cells]) => {
    const texts = cells.map((cell) => (cell === null ? null : String(cell)))
    const numbers = texts.flatMap((text, index) => (text !== null && looksLikeNumber(text) ? [index] : []))
    const words = texts.filter((text, index) => text !== null && !numbers.includes(index))
    const isAverage = words.length === 1 && AVERAGE.test(words[0] ?? '')
    const isWhole = words.length === 1 && WHOLE.test(words[0] ?? '')
    const hasNoLabel = numbers.length < columns.length && words.length === 0
    return {
      record: Number(record),
      texts,
      numbers,
      isAverage,
      isWhole,
      label: isTotal !== true && words.length === 1 ? texts.indexOf(words[0] ?? '') : -1,
      isSummary: isTotal === true || isAverage || isWhole || hasNoLabel,
    }
  })
  const last = read.filter(({ record }) => record > Math.max(1, rows - LAST))
  const first = read.filter(({ record, isWhole }) => record === 1 && isWhole)
  const tests = await namedTotals(database, all, columns, read)
  const balances = await balanceTests(database, all, columns)
  let hasAverages = false
  // No row of the table follows them.
  const end = last.slice(last.findLastIndex(({ isSummary }) => !isSummary) + 1)
  for (const candidate of [...end, ...first]) {
    const { record, texts, numbers, isAverage } = candidate
    if (numbers.length === 0) continue
    const isLeft = [isTotalSql(columns), ...tests].join(' OR ')
    const others = `(FROM ${all} WHERE ${RECORD} ${record === 1 ? '>' : '<'} ${record} AND NOT (${isLeft}))`
    if (!(await isSummary(database, others, columns, candidate))) continue
    hasAverages ||= isAverage
    const same = texts.map(
      (text, index) => `${list[index]} IS NOT DISTINCT FROM ${text === null ? 'NULL' : literal(text)}`,
    )
    tests.push(`(${same.join(' AND ')})`)
  }
  return { tests, hasAverages, balances }
}

/**
 * Returns SQL of the balances of a bank statement that sums would add to its movements. A balance in a
 * column of balances is none.
 */
const balanceTests = async (database: Database, all: string, columns: string[]): Promise<string[]> => {
  const label = columns.find((name) => MOVEMENTS.test(name))
  const amounts = columns.filter((name) => /^(valor|r\$|cr[eé]dito|d[eé]bito)/i.test(name.trim()))
  if (!label || !columns.some((name) => /^(data|dt)([^\p{L}]|$)/iu.test(name))) return []
  // A balance of 0,00 changes no sum, and the letter of a credit is no amount.
  const isFilled = amounts.map((name) => `coalesce(regexp_matches(${strippedSql(name)}, '[1-9]'), false)`)
  if (isFilled.length === 0) return []
  const isBalance = `coalesce(regexp_full_match(lower(${strippedSql(label)}), '${BALANCE}'), false)`
  const test = `(${isBalance} AND (${isFilled.join(' OR ')}))`
  const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${all} WHERE ${test}`)
  return row?.[0] ? [test] : []
}

const isLikelySql = (columns: string[], patterns: string[]) =>
  columns.flatMap((name) => patterns.map((pattern) => `${quote(name)} LIKE '${pattern}'`)).join(' OR ')

/** A row with one text, at the index `label`; -1 with none, or with several. */
type Named = Pick<Candidate, 'texts' | 'numbers'> & { label: number }

/**
 * Returns SQL of the rows called 'Total do setor A': a column that all other rows fill is empty in
 * them, or their sums are those of the other rows.
 */
const namedTotals = async (
  database: Database,
  all: string,
  columns: string[],
  read: Named[],
): Promise<string[]> => {
  const named = read.filter(
    ({ label, numbers, texts }) => numbers.length > 0 && isNamedTotal.test(texts[label] ?? ''),
  )
  const emptyIn = ({ texts }: Named) => columns.filter((_name, index) => texts[index] === null)
  const forms = [...Map.groupBy(named, (one) => `${one.label} ${emptyIn(one).join('\n')}`).values()]
  const tests: string[] = []
  for (const [form] of forms.slice(0, MAX_FORMS)) {
    if (!form) continue
    const [label, empty] = [columns[form.label] ?? '', emptyIn(form)]
    const isEmpty = (name: string) => `(${strippedSql(name)} IS NULL OR ${isMissingSql(strippedSql(name))})`
    const test = `(${[`coalesce(regexp_matches(${strippedSql(label)}, '${NAMED_TOTAL}'), false)`, ...empty.map(isEmpty)].join(' AND ')})`
    // The last row may be a total without a label.
    const isOther = `NOT (${[isTotalSql(columns), ...tests, test, isEmpty(label)].join(' OR ')})`
    const sums = form.numbers.flatMap((index) =>
      MARKS.flatMap((mark) => {
        const sum = `sum(${numberSql(strippedSql(columns[index] ?? ''), mark)})`
        return [`${sum} FILTER (${isOther})`, `${sum} FILTER (${test})`]
      }),
    )
    const filled = empty.map((name) => `count_if(${isOther} AND NOT ${isEmpty(name)})::DOUBLE`)
    const [row = []] = await database.load(
      `SELECT count_if(${isOther})::DOUBLE, count_if(${test})::DOUBLE, ${[...filled, ...sums].join(', ')} FROM ${all}`,
    )
    const [others = 0, own = 0, ...counts] = row.map(Number)
    if (others < FEWEST_ABOVE) continue
    const results = counts.slice(empty.length)
    const isKey = counts.slice(0, empty.length).some((count) => count === others)
    const areSums = MARKS.some((_mark, at) => {
      const same = form.numbers.filter((_column, index) => {
        const [sum = 0, total = 0] = results.slice(index * 4 + at * 2, index * 4 + at * 2 + 2)
        return total !== 0 && isNearSum(sum, total)
      })
      return same.length >= form.numbers.length / 2
    })
    // One row may be that of a company called Total Saúde.
    const isNamed = own > 1 || OF_A_GROUP.test(form.texts[form.label] ?? '')
    if (isNamed ? isKey || areSums : isKey && areSums) tests.push(test)
  }
  return tests
}

const isNearSum = (sum: number, total: number) => Math.abs(sum - total) <= 0.01 + Math.abs(sum) * 1e-9

/** Whether the numbers of a row are the sums or the averages of other rows, with either decimal mark. */
const isSummary = async (
  database: Database,
  others: string,
  columns: string[],
  { texts, isAverage, isWhole, numbers }: Candidate,
): Promise<boolean> => {
  const names = numbers.map((index) => columns[index] ?? '')
  const empty = columns.filter((_name, index) => !numbers.includes(index))
  const sums = names.flatMap((name) =>
    MARKS.flatMap((mark) => [
      `sum(${numberSql(strippedSql(name), mark)})`,
      `avg(${numberSql(strippedSql(name), mark)})`,
    ]),
  )
  const filled = empty.map((name) => `count(${strippedSql(name)})::DOUBLE`)
  const [row = []] = await database.load(
    `SELECT count(*)::DOUBLE, ${[...filled, ...sums].join(', ')} FROM ${others}`,
  )
  const [rows, ...counts] = row.map(Number)
  if (rows === undefined || rows < FEWEST_ABOVE) return false
  // A label that other rows leave out too says nothing.
  if (!isAverage && !isWhole && !counts.slice(0, empty.length).some((count) => count === rows)) return false
  const results = counts.slice(empty.length)
  return MARKS.some((mark, at) => {
    let [asSums, asAverages] = [0, 0]
    for (const [index, column] of numbers.entries()) {
      const { value, places } = numberIn(texts[column] ?? '', mark)
      const [sum = 0, average = 0] = results.slice(index * 4 + at * 2, index * 4 + at * 2 + 2)
      if (value !== 0 && isNearSum(sum, value)) asSums++
      else if (value !== 0 && Math.abs(average - value) <= 0.51 * 10 ** -places) asAverages++
    }
    const matching = isAverage ? asAverages : asSums
    return matching > 0 && asSums + asAverages >= numbers.length / 2
  })
}

const MARKS = [',', '.'] as const
type Mark = (typeof MARKS)[number]

const numberSql = (text: string, mark: Mark): string => {
  const digits = `regexp_replace(${text}, '[^0-9,.]', '', 'g')`
  const number =
    mark === ',' ? `replace(replace(${digits}, '.', ''), ',', '.')` : `replace(${digits}, ',', '')`
  return `CASE WHEN regexp_matches(${text}, '[-(${LONG_DASHES}]') THEN -1 ELSE 1 END * TRY_CAST(${number} AS DOUBLE)`
}

const numberIn = (text: string, mark: Mark) => {
  const digits = text.replace(/[^0-9,.]/g, '')
  const number = mark === ',' ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  const places = number.includes('.') ? number.length - number.indexOf('.') - 1 : 0
  return { value: (/[-(]/.test(withHyphens(text)) ? -1 : 1) * Number(number), places }
}

/** 'Total' may also be a value like others: it is a total in at most this share of the rows … */
const MAX_SHARE = 1 / 3
/** … or in this one, as subtotals are, if the last row is one too. */
const MAX_SHARE_WITH_LAST = 1 / 2

interface Totals {
  count: number
  /** The record of the first one. */
  first: number
  /** Whether so many rows may be totals. */
  isUsual: boolean
}

/** Counts the rows of totals of the whole file, by these columns and these tests. */
const findTotals = async (
  { database, records }: Pick<Rows, 'database' | 'records'>,
  names: string[],
  { tests, balances }: SummaryRows,
): Promise<Totals> => {
  const isTotal = [...(names.length > 0 ? [isTotalSql(names)] : []), ...tests, ...balances].join(' OR ')
  const [row = []] = await database.load(
    `SELECT count_if(is_total)::DOUBLE, min(${RECORD}) FILTER (is_total), max(${RECORD}) FILTER (is_total), max(${RECORD})
     FROM (SELECT ${RECORD}, (${isTotal}) AS is_total FROM ${numbered({ records, left: undefined })})`,
  )
  const [count = 0, first = 0, last = 0, rows = 0] = row.map(Number)
  const isUsual = count <= rows * MAX_SHARE || (last === rows && count <= rows * MAX_SHARE_WITH_LAST)
  return { count, first, isUsual }
}

const anyOf = new Intl.ListFormat('pt-BR', { type: 'disjunction' })

/** Names rows of totals. */
const totalsText = (count: number, line: number, { tests, hasAverages, balances }: SummaryRows): string => {
  const hasBalances = balances.length > 0
  if (count === 1) {
    const isOne = tests.length + balances.length === 1
    const only = isOne && ((hasBalances && 'um saldo') || (hasAverages && 'uma média'))
    return `a linha ${line} parece ${only || 'um total'}`
  }
  const names = ['totais', ...(hasAverages ? ['médias'] : []), ...(hasBalances ? ['saldos'] : [])]
  return `${count} linhas parecem ${anyOf.format(names)}, a partir da linha ${line}`
}

interface TotalsInput extends Pick<Rows, 'database' | 'records'> {
  /** The columns of the file. */
  columns: string[]
  summaries: SummaryRows
  /** Returns the lines of records. */
  linesOf: (records: number[]) => Promise<Map<number, number>>
}

interface TotalsOptions {
  /** The table with the typed rows, and how many it has. */
  table: string
  rows: number
  /** What the author has chosen to leave out, whatever its share; an earlier choice was of totals only. */
  leftOut: { totals: boolean; balances: boolean }
  notice: (sentence: string) => void
}

/** Says which rows of a CSV are totals and balances, and returns how many. */
export const remarkTotalRows = async (
  input: TotalsInput,
  chosen: ChosenColumn[],
  { leftOut, ...options }: TotalsOptions,
): Promise<number> => {
  const { balances } = input.summaries
  if (leftOut.totals === leftOut.balances)
    return remarkRows(input, chosen, { ...options, isLeftOut: leftOut.totals })
  const onlyTotals = { ...input, summaries: { ...input.summaries, balances: [] } }
  const totals = await remarkRows(onlyTotals, chosen, { ...options, isLeftOut: leftOut.totals })
  const onlyBalances = { ...input, summaries: { ...NO_SUMMARIES, balances } }
  if (balances.length === 0) return totals
  return totals + (await remarkFound(onlyBalances, [], { ...options, isLeftOut: leftOut.balances }))
}

type Remarked = Omit<TotalsOptions, 'leftOut'> & { isLeftOut: boolean }

const remarkRows = async (input: TotalsInput, chosen: ChosenColumn[], options: Remarked): Promise<number> => {
  const { database, columns, summaries } = input
  const { table, rows, isLeftOut } = options
  const hasNumbers = chosen.some(({ writing }) => writing?.type === 'integer' || writing?.type === 'number')
  if (!isLeftOut && (!hasNumbers || rows === 0)) return 0
  // Columns of numbers and dates have no labels.
  const names = isLeftOut ? columns : chosen.flatMap(({ name, writing }) => (writing ? [] : [name]))
  const hasSummaries = summaries.tests.length + summaries.balances.length > 0
  if (!isLeftOut && !hasSummaries) {
    if (names.length === 0) return 0
    // Most files have none, and their typed rows are read faster.
    const [row] = await database.load(`SELECT count(*)::DOUBLE FROM ${table} WHERE ${isTotalSql(names)}`)
    if (!row?.[0]) return 0
  }
  return remarkFound(input, names, options)
}

const remarkFound = async (
  { database, records, summaries, linesOf }: TotalsInput,
  names: string[],
  { isLeftOut, notice }: Remarked,
): Promise<number> => {
  const { count, first, isUsual } = await findTotals({ database, records }, names, summaries)
  if (count === 0 || (!isLeftOut && !isUsual)) return 0
  const line = (await linesOf([first])).get(first) ?? 0
  const where = totalsText(count, line, summaries)
  if (isLeftOut) notice(count === 1 ? `${where} e fica de fora` : `${where}, e ficam de fora`)
  else notice(count === 1 ? `${where}: as somas a contam de novo` : `${where}: as somas as contam de novo`)
  return count
}

/** Rows of a Parquet file from which totals are not looked for: programs write such files. */
const MAX_LOOKED = 1_000_000

/** Says which rows of a Parquet file are totals, which only the author of the file can leave out. */
export const remarkTotals = async (
  database: Database,
  table: string,
  { names, texts, rows }: { names: string[]; texts: string[]; rows: number },
): Promise<string | undefined> => {
  if (rows > MAX_LOOKED) return undefined
  const records = `(SELECT ${names.map((name) => `${quote(name)}::VARCHAR AS ${quote(name)}`).join(', ')} FROM ${table})`
  const summaries = await findSummaryRows(database, records, names, rows)
  if (texts.length + summaries.tests.length + summaries.balances.length === 0) return undefined
  const { count, first, isUsual } = await findTotals({ database, records }, texts, summaries)
  if (count === 0 || !isUsual) return undefined
  const again = count === 1 ? 'as somas a contam de novo; tire-a' : 'as somas as contam de novo; tire-as'
  return `${totalsText(count, first, summaries)}: ${again} do arquivo`
}
