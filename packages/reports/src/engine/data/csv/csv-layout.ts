import { DefinitionError } from '../../../definitions/definition-error.ts'

/** Where the table of a file is, and what splits its fields. */
export interface CsvLayout {
  delimiter: Delimiter
  /** The line of the heading; the first is 1. */
  line: number
  /** The byte at which the heading begins. */
  start: number
}

interface LayoutOptions {
  delimiter?: Delimiter | undefined
  /** The chosen line of the heading. */
  headerLine?: number | undefined
  /** The heading is the first record, and its most frequent delimiter splits the file if it can. */
  isFirstRecord: boolean
}

const DELIMITERS = [';', '\t', '|', ','] as const
export type Delimiter = (typeof DELIMITERS)[number]
/** Lines whose fields are counted. */
const MAX_LINES = 1_000
export const HEAD_BYTES = 1 << 19

const [LF, CR, QUOTE, SPACE] = [10, 13, 34, 32]

export interface CsvRecord {
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
    let isFilled = false
    for (; now < text.length; now++) {
      const byte = text[now]
      if (byte === LF || byte === CR) {
        if (byte === LF || text[now + 1] !== LF) line++
        if (!isQuoted) break
      } else if (byte === QUOTE && (isQuoted || isStart)) {
        isQuoted = !isQuoted
        isStart = false
      } else if (byte === mark && !isQuoted) {
        record.fields++
        if (isFilled) record.filled++
        isFilled = false
        isStart = true
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
 * Finds the delimiter that splits most of the first records alike, and the heading: the first
 * record with all fields, if those before it are titles.
 * @param head the first bytes of the file, at most HEAD_BYTES
 * @param bytes of the file's mark of its encoding
 * @throws DefinitionError when the chosen line of the heading does not exist
 */
export const findLayout = (head: Buffer, bytes: number, options: LayoutOptions): CsvLayout => {
  const { headerLine, isFirstRecord } = options
  const declared = separatorLine(head, bytes)
  const first = declared ? declared.next : { line: 1, start: bytes }
  const start = headerLine === undefined ? first : startOfLine(head, bytes, headerLine)
  const split = (delimiter: Delimiter) => {
    const all = recordsOf(head, delimiter, start)
    const isCut = head.length >= HEAD_BYTES && all.length < MAX_LINES && all.length > 1
    return { delimiter, ...widthOf(isCut ? all.slice(0, -1) : all) }
  }
  const given = options.delimiter ?? declared?.delimiter
  const tried = (given ? [given] : DELIMITERS).map(split)
  const headingIn = (one: Split) => {
    const found = isFirstRecord || headerLine !== undefined ? undefined : headingOf(head, one)
    return found ?? one.records[0]
  }
  // Commas within the values of a single column split them alike, too, but not their heading.
  const usable = tried.filter((one) => one.alike > 0 && headingIn(one)?.fields === one.width)
  const most = Math.max(...usable.map(({ alike }) => alike))
  const byHeading = given ?? mostFrequent(head, start.start)
  const usual = tried.find(({ delimiter }) => delimiter === byHeading)
  const isUsual = isFirstRecord && usual && usable.includes(usual) && usual.alike === usual.records.length
  const best = isUsual ? usual : usable.find(({ alike }) => alike === most)
  const chosen = best ?? usual ?? split(byHeading)
  const { line, start: at } = headingIn(chosen) ?? start
  return { delimiter: chosen.delimiter, line, start: at }
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

/** Returns the heading below titles, which are records of one field, or with one that is filled. */
const headingOf = (head: Buffer, { records, width, delimiter }: Split): CsvRecord | undefined => {
  if (width < 2) return undefined
  const isTitle = ({ fields, filled }: CsvRecord) => fields === 1 || (width > 2 && filled <= 1)
  const index = records.findIndex((record) => !isTitle(record))
  const heading = records[index]
  if (index < 1 || heading?.fields !== width || heading.filled < width - 1) return undefined
  const cells = textOf(head, heading).split(delimiter)
  // Below a heading of one name, the first row of values is not the heading.
  return cells.some((cell) => isAmount(cell.replaceAll('"', '').trim())) ? undefined : heading
}

/** A year is a usual heading. */
const isAmount = (text: string) => /^-?(R\$ ?)?\d[\d.,]*%?$/.test(text) && !/^(19|20)\d\d$/.test(text)

const textOf = (text: Buffer, { start, end }: CsvRecord) => text.toString('latin1', start, end)

/** Excel reads and writes the delimiter in a line before the heading: 'sep=;'. */
const separatorLine = (head: Buffer, bytes: number) => {
  const text = head.toString('latin1', bytes, bytes + 12)
  const [whole, mark] = /^"?sep=([;,|\t])"?(?:\r\n|\r|\n)/i.exec(text) ?? []
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
  'fontes?|notas?|obs|observa[cç](?:ão|ões|ao|oes)|legenda|elabora[cç](?:ão|ao)|(?:gerado|emitido|extra[ií]do|atualizado) em'
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
