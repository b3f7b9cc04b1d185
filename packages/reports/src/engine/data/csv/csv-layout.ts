import { DefinitionError } from '../../../definitions/definition-error.ts'
import { MAX_COLUMNS } from '../columns/too-many-columns.ts'
import { filledFields, wholeNames } from './csv-headings.ts'
import {
  areGroups,
  groupedNames,
  type HeadingRows,
  hasColumns,
  plainNames,
  type RowTexts,
  spreadGroups,
} from './heading-rows.ts'
import { looksLikeNumber } from './number-texts.ts'

/** Where the table of a file is, and what splits its fields. */
interface CsvLayout {
  delimiter: Delimiter
  heading: HeadingRows
  /** The byte at which the heading begins. */
  start: number
}

/** Where the heading of a file is looked for. */
export interface HeadingSearch {
  /** The chosen rows. */
  heading?: HeadingRows | undefined
  /** For each column that must be there, its possible names in lower case. */
  expected?: string[][] | undefined
  /** No row has the expected columns: then the file has no heading. */
  isWithoutHeading?: boolean | undefined
}

interface LayoutOptions extends HeadingSearch {
  delimiter?: Delimiter | undefined
  /** The heading is the first record, and its most frequent delimiter splits the file if it can. */
  isFirstRecord: boolean
}

const DELIMITERS = [';', '\t', '|', ','] as const
export type Delimiter = (typeof DELIMITERS)[number]
/** Lines whose fields are counted. */
const MAX_LINES = 1_000
export const HEAD_BYTES = 1 << 19

const [LF, CR, QUOTE, SPACE] = [10, 13, 34, 32]

interface CsvRecord {
  line: number
  /** Bytes from the begin of the text, and its end without the line break. */
  start: number
  end: number
  fields: number
  /** Fields with other characters than spaces and quotes. */
  filled: number
  isAfterEmptyLine: boolean
}

/** Splits bytes into records, without those that an empty line makes. An unclosed quote ends the text. */
export const recordsOf = (
  text: Buffer,
  delimiter: string,
  { line = 1, start = 0, most = MAX_LINES }: { line?: number; start?: number; most?: number } = {},
): CsvRecord[] => {
  const records: CsvRecord[] = []
  const mark = delimiter.charCodeAt(0)
  let now = start
  let isAfterEmptyLine = false
  while (now < text.length && records.length < most) {
    const record: CsvRecord = { line, start: now, end: now, fields: 1, filled: 0, isAfterEmptyLine }
    let isQuoted = false
    let isStart = true
    let hasQuotes = false
    let isFilled = false
    for (; now < text.length; now++) {
      const byte = text[now]
      if (byte === LF || byte === CR) {
        if (byte === LF || text[now + 1] !== LF) line++
        if (!isQuoted) break
      } else if (byte === QUOTE && (hasQuotes || isStart)) {
        // In a field with quotes, two of them close and open it again.
        isQuoted = !isQuoted
        hasQuotes = true
        isStart = false
      } else if (byte === mark && !isQuoted) {
        record.fields++
        if (isFilled) record.filled++
        isFilled = false
        isStart = true
        hasQuotes = false
      } else {
        isStart = false
        if (byte !== SPACE) isFilled = true
      }
    }
    if (isFilled) record.filled++
    record.end = now
    // Both bytes of \r\n end one line, which the second one has counted.
    if (text[now] === CR && text[now + 1] === LF) {
      line++
      now++
    }
    now++
    isAfterEmptyLine = record.end === record.start
    if (!isAfterEmptyLine) records.push(record)
  }
  return records
}

/**
 * Finds the delimiter that splits most of the first records alike, and the heading: the record with
 * the expected columns, or else the first one with all fields, if those before it are titles.
 * @param head the first bytes of the file, at most HEAD_BYTES
 * @param bytes of the file's mark of its encoding
 * @throws DefinitionError when the chosen line of the heading does not exist
 */
export const findLayout = (head: Buffer, bytes: number, options: LayoutOptions): CsvLayout => {
  const { heading: wanted, expected, isWithoutHeading, isFirstRecord } = options
  const declared = separatorLine(head, bytes)
  const first = declared ? declared.next : { line: 1, start: bytes }
  const start = wanted ? startOfLine(head, bytes, wanted.first) : first
  const split = (delimiter: Delimiter) => {
    const all = recordsOf(head, delimiter, start)
    const isCut = head.length >= HEAD_BYTES && all.length < MAX_LINES && all.length > 1
    return { delimiter, ...widthOf(isCut ? all.slice(0, -1) : aboveNotes(head, all)) }
  }
  const given = options.delimiter ?? declared?.delimiter
  const tried = (given ? [given] : DELIMITERS).map(split)
  // A file that will be refused is not searched for names: that takes long where there are many.
  const isTooWide = ({ width }: Split) => width > MAX_COLUMNS
  for (const one of expected && !wanted ? tried : []) {
    const { length } = expected ?? []
    const mayHave = !isTooWide(one) && one.records.some(({ fields }) => fields >= length)
    const found = mayHave ? headingWith(head, one, expected ?? []) : undefined
    if (found) return layoutOf(one.delimiter, found)
  }
  const headingIn = (one: Split): FoundHeading | undefined => {
    const [record] = one.records
    if (wanted) return record && { record, count: wanted.count }
    if (isWithoutHeading) return firstRow(one, 0)
    if (isTooWide(one)) return firstRow(one, 1)
    return (isFirstRecord ? undefined : headingOf(head, one)) ?? (record && { record, count: 1 })
  }
  // Commas within the values of a single column split them alike, too, but not their heading.
  const usable = tried.filter((one) => one.alike > 0 && headingIn(one)?.record.fields === one.width)
  const most = Math.max(...usable.map(({ alike }) => alike))
  const byHeading = given ?? mostFrequent(head, start.start)
  const usual = tried.find(({ delimiter }) => delimiter === byHeading)
  const isUsual = isFirstRecord && usual && usable.includes(usual) && usual.alike === usual.records.length
  const best = isUsual ? usual : usable.find(({ alike }) => alike === most)
  const chosen = best ?? usual ?? split(byHeading)
  const found = headingIn(chosen)
  if (found) return layoutOf(chosen.delimiter, found)
  const heading: HeadingRows = { first: start.line, count: wanted?.count ?? 1 }
  return { delimiter: chosen.delimiter, heading, start: start.start }
}

/** The first record of a heading, or with 0, of the values. */
interface FoundHeading {
  record: CsvRecord
  count: HeadingRows['count']
}

const layoutOf = (delimiter: Delimiter, { record, count }: FoundHeading): CsvLayout => ({
  delimiter,
  heading: { first: record.line, count },
  start: record.start,
})

/** Returns the records above the notes of a whole file: the notes of a small table may be longer than it. */
const aboveNotes = (head: Buffer, records: CsvRecord[]): CsvRecord[] => {
  // Titles above the table may say the same.
  const table = records.findIndex(({ fields }) => fields > 1)
  const end = records.findIndex(
    ({ fields, start, end }, index) =>
      table >= 0 &&
      index > table &&
      fields === 1 &&
      isMarkedBelowTable.test(head.toString('latin1', start, end)),
  )
  return end > 0 && records.length - end <= MAX_BELOW ? records.slice(0, end) : records
}

type Split = ReturnType<typeof widthOf> & { delimiter: Delimiter }
/** Returns how many records have the most frequent number of fields, from two on. */
const widthOf = (records: CsvRecord[]) => {
  const counts = new Map<number, number>()
  for (const { fields } of records) if (fields > 1) counts.set(fields, (counts.get(fields) ?? 0) + 1)
  const alike = Math.max(0, ...counts.values())
  const width = [...counts].find(([, count]) => count === alike)?.[0] ?? 1
  return { records, width, alike }
}

/** Records below a table. */
export const MAX_BELOW = 40

/** Records in which a heading is looked for. */
const HEADING_RECORDS = 40
/** Records whose cells say whether a column has amounts. */
const BELOW_RECORDS = 20

const textsOf = (head: Buffer, { start, end }: CsvRecord, delimiter: string) =>
  filledFields(head.subarray(start, end), delimiter)

/** Returns the heading that has all of these columns. */
const headingWith = (
  head: Buffer,
  { records, delimiter }: Split,
  expected: string[][],
): FoundHeading | undefined => {
  const named = (names: RowTexts, { fields }: CsvRecord) =>
    new Map(wholeNames(Array.from({ length: fields }, (_, index) => names.get(index) ?? '')).entries())
  let upper: RowTexts | undefined
  for (const [index, record] of records.slice(0, HEADING_RECORDS).entries()) {
    const row = textsOf(head, record, delimiter)
    const above = records[index - 1]
    if (upper && above?.line === record.line - 1) {
      const names = groupedNames(spreadGroups(upper, row), row)
      if (hasColumns(named(names, record), expected)) return { record: above, count: 2 }
    }
    if (hasColumns(named(plainNames(row), record), expected)) return { record, count: 1 }
    upper = row
  }
  return undefined
}

/** Returns the first record with all fields, below titles. */
const firstRow = ({ records, width }: Split, count: 0 | 1): FoundHeading | undefined => {
  const record = records.find(({ fields }) => fields === width) ?? records[0]
  return record && { record, count }
}

/** Returns the heading below titles, which are narrower records, or those with one field that is filled. */
const headingOf = (head: Buffer, split: Split): FoundHeading | undefined => {
  const { records, width } = split
  if (width < 2) return undefined
  const isTitle = ({ fields, filled }: CsvRecord) => fields === 1 || (width > 2 && filled <= 1)
  const index = records.findIndex((record) => !isTitle(record))
  const heading = records[index]
  if (!heading) return undefined
  // A title may have the delimiter in it.
  if (heading.fields < width) return namesAbove(head, split, index)
  const next = records[index + 1]
  const areTwo = next?.fields === width && next.line === heading.line + 1
  if (heading.fields === width && areTwo && areGroupsIn(head, split, index))
    return { record: heading, count: 2 }
  // So may one that a spreadsheet pads: 'Relatório;2026;;'.
  if (heading.fields === width && heading.filled < width - 1) return namesAbove(head, split, index)
  if (index < 1 || heading.fields !== width) return undefined
  // Below a heading of one name, the first row of values is not the heading.
  return hasAmount(textsOf(head, heading, split.delimiter)) ? undefined : { record: heading, count: 1 }
}

/** Returns the first full record, if it has names, and amounts below them. */
const namesAbove = (head: Buffer, { records, width, delimiter }: Split, from: number) => {
  // Titles may have several parts: 'Agência: 1234;Conta: 56789-0;;;'.
  const index = records.findIndex(
    ({ fields, filled }, place) => place > from && fields >= width && filled >= width - 1,
  )
  const record = records[index]
  if (record?.fields !== width || index > HEADING_RECORDS) return undefined
  const isAmong = records
    .slice(from, index)
    .some((one) => one.fields === width && hasAmount(textsOf(head, one, delimiter)))
  if (isAmong) return undefined
  const isNamed = !hasAmount(textsOf(head, record, delimiter))
  const below = records.slice(index + 1, index + 1 + BELOW_RECORDS)
  const hasAmounts = below.some((one) => hasAmount(textsOf(head, one, delimiter)))
  return isNamed && hasAmounts ? { record, count: 1 as const } : undefined
}

/** Returns whether a record has the groups of the names in the next one. */
const areGroupsIn = (head: Buffer, { records, delimiter }: Split, index: number): boolean => {
  const [upper = new Map(), lower = new Map(), ...below] = records
    .slice(index, index + 2 + BELOW_RECORDS)
    .map((record) => textsOf(head, record, delimiter))
  if (hasAmount(lower)) return false
  return areGroups(spreadGroups(upper, lower), lower, (column) =>
    below.some((row) => looksLikeNumber(row.get(column) ?? '')),
  )
}

const hasAmount = (row: RowTexts) => [...row.values()].some(isAmount)

/** A year is a usual heading. */
const isAmount = (text: string) => looksLikeNumber(text) && !/^(19|20)\d\d$/.test(text)

/** Bytes of the line with the delimiter; a spreadsheet that saves the file again pads it. */
const SEPARATOR_BYTES = 1_000
/** Excel reads and writes the delimiter in a line before the heading: 'sep=;'. */
const separatorLine = (head: Buffer, bytes: number) => {
  const text = head.toString('latin1', bytes, bytes + SEPARATOR_BYTES)
  const [whole, mark] = /^"?sep=([;,|\t])"?[;,|\t ]*(?:\r\n|\r|\n)/i.exec(text) ?? []
  const delimiter = DELIMITERS.find((one) => one === mark)
  return whole && delimiter ? { delimiter, next: { line: 2, start: bytes + whole.length } } : undefined
}

const startOfLine = (head: Buffer, bytes: number, wanted: number) => {
  let line = 1
  let start = bytes
  while (line < wanted && start < head.length) {
    const byte = head[start++]
    if (byte === LF || (byte === CR && head[start] !== LF)) line++
  }
  if (line < wanted) throw new DefinitionError(`não tem a linha ${wanted}, a do cabeçalho`)
  return { line, start }
}

/** The most frequent delimiter of the heading, outside quotes. */
const mostFrequent = (head: Buffer, start: number): Delimiter => {
  const counts = DELIMITERS.map((delimiter) => ({
    delimiter,
    count: recordsOf(head, delimiter, { start, most: 1 })[0]?.fields ?? 1,
  }))
  const order: Delimiter[] = [';', ',', '\t', '|']
  return (
    counts.toSorted(
      (one, other) =>
        other.count - one.count || order.indexOf(one.delimiter) - order.indexOf(other.delimiter),
    )[0]?.delimiter ?? ';'
  )
}

/** Words with which the lines below a table begin. */
const BELOW =
  'fontes?|notas?|obs|observa[cç](?:ão|ões|ao|oes)|legenda|elabora[cç](?:ão|ao)|usu[aá]rio|p[aá]gina|(?:gerado|emitido|impresso|extra[ií]do|atualizado) (?:em|por)'
const isBelowTable = new RegExp(`^[\\s"*]*(?:${BELOW})(?:\\b|\\s|$)`, 'i')
const isMarkedBelowTable = new RegExp(`^[\\s"*]*(?:${BELOW})\\s*:`, 'i')

/**
 * Returns the index of the first record below the table, which is a source or a note: it has fewer
 * fields, and comes after an empty line or begins like one.
 */
export const footerOf = (
  tail: Buffer,
  records: CsvRecord[],
  width: number,
  decode: (bytes: Buffer) => string,
): number | undefined => {
  const isNarrow = ({ fields, filled }: CsvRecord) => fields < width || filled <= 1
  const last = records.findLastIndex((record) => !isNarrow(record))
  const found = records.findIndex((record, index) => {
    if (index <= last) return false
    const text = decode(tail.subarray(record.start, record.end))
    const { fields, isAfterEmptyLine } = record
    if (fields < width) return isBelowTable.test(text) || (fields === 1 && isAfterEmptyLine)
    return isMarkedBelowTable.test(text)
  })
  return found < 0 ? undefined : found
}
