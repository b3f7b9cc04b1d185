import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { CsvOptions } from '../../../definitions/definition.ts'
import { DefinitionError } from '../../../definitions/definition-error.ts'
import { MAX_COLUMNS, tooManyColumns } from '../columns/too-many-columns.ts'
import { createEncodingDetector } from './csv-encoding.ts'
import { columnNames, splitRecord } from './csv-headings.ts'
import {
  type Delimiter,
  findLayout,
  footerOf,
  HEAD_BYTES,
  type HeadingSearch,
  MAX_BELOW,
  recordsOf,
} from './csv-layout.ts'
import type { HeadingRows, Repeated } from './heading-rows.ts'

/** The format of a file, found by reading every byte once, in bounded memory. */
export type CsvShape = {
  delimiter: Delimiter
  encoding: 'utf-8' | 'windows-1252'
  /** `mixed`: several line endings, so that DuckDB needs a rewritten copy. */
  newline: '\n' | '\r\n' | 'mixed'
  columns: string[]
  /** Places of columns without a heading, whose names are made. */
  unnamed: number[]
  /** Columns with the name of another one, which got a number. */
  repeats: Repeated[]
  /** Number of rows, without the heading. */
  records: number
  heading: HeadingRows
  /** The lines below the table, which are no rows. */
  footer: { first: number; last: number; records: number } | undefined
  /** The bytes of the rows, when the file has other lines or its heading has fewer fields. */
  body: { start: number; end: number } | undefined
}

export interface ScanOptions extends Pick<CsvOptions, 'delimiter' | 'encoding'>, HeadingSearch {
  /**
   * The heading is the first record and has all names, and the last record is a row: what the files
   * of published folders always had to be.
   */
  isBare: boolean
  /** Whether sentences may contain headings: the first row of values may be in their place. */
  quotesData?: boolean | undefined
  /** Numbers of records (1 is the first after the heading): `onLine` gets the line where one starts. */
  records?: ReadonlySet<number> | undefined
  onLine?: (record: number, line: number) => void
}

/** Bytes of one record: limits a field, a line, and quotes without end. */
const LONGEST_RECORD = 1_000_000
const TAIL_BYTES = 1 << 18

const [NUL, LF, CR, QUOTE, SPACE] = [0, 10, 13, 34, 32]
const PLACES = { start: 0, plain: 1, quoted: 2, closed: 3 } as const

/**
 * Validates a CSV file and returns its format.
 * @throws DefinitionError with the line of a record that is malformed, too long, or not text
 */
export const scanCsv = async (file: string, options: ScanOptions): Promise<CsvShape> => {
  const { isBare, records: wanted, onLine = () => {} } = options
  const head = await readPart(file, 0, HEAD_BYTES)
  const bom = hasBom(head) ? 3 : 0
  const layout = findLayout(head, bom, { ...options, isFirstRecord: isBare })
  const byDelimiter = layout.delimiter.charCodeAt(0)
  const detector = createEncodingDetector()
  const newlines = { '\n': false, '\r\n': false, '\r': false }
  const heading: number[][] = []
  /** Where the last records start. */
  const last: { line: number; start: number }[] = []

  let line = layout.heading.first
  /** Records of the heading are 0, or -1 and 0. */
  let record = 1 - layout.heading.count
  let width = 0
  let rowWidth = 0
  let recordLine = line
  let quoteLine = 0
  let bytes = 0
  let fields = 1
  let state: 0 | 1 | 2 | 3 = PLACES.start
  let wasCr = false
  let position = layout.start
  let recordStart = position
  let bodyStart = position
  /** The first record of another width, which may be a note below the table. */
  const odd: { record: number; sentence: string }[] = []

  const endRecord = () => {
    // Empty lines are skipped, except with a single column, where they may be empty values.
    if (bytes > 0 || (record > 0 && width === 1)) {
      if (record <= 0 || width === 0) {
        width = Math.max(width, fields)
        if (width > MAX_COLUMNS) throw new DefinitionError(tooManyColumns(width))
      }
      if (record > 0) {
        // A delimiter at the end of each row makes an empty field without a heading.
        const hasEmptyEnd = fields === width + 1 && state === PLACES.start
        if (record === 1) rowWidth = hasEmptyEnd && !isBare ? fields : width
        if (fields !== rowWidth || (rowWidth > width && !hasEmptyEnd))
          odd.push({
            record,
            sentence: `linha ${recordLine}: ${fields} ${fields === 1 ? 'campo' : 'campos'}, e o cabeçalho tem ${width}`,
          })
        if (wanted?.has(record)) onLine(record, recordLine)
        last[record % MAX_BELOW] = { line: recordLine, start: recordStart }
        const [first] = odd
        if (first && (isBare || width === 1 || record - first.record >= MAX_BELOW))
          throw new DefinitionError(first.sentence)
      }
      record++
    }
    bytes = 0
    fields = 1
    state = PLACES.start
  }

  for await (const chunk of createReadStream(file, { start: layout.start, highWaterMark: 1 << 18 })) {
    const block = chunk as Buffer
    for (let index = 0; index < block.length; index++) {
      const byte = block[index] as number
      if (bytes === 0) {
        recordLine = line
        recordStart = position + index
      }
      if (byte === NUL) throw new DefinitionError(`linha ${line}: tem um byte nulo; não é um texto CSV`)
      if (byte >= 0x80 || detector.isWaiting()) detector.take(byte, line)
      if (record <= 0) {
        bodyStart = position + index + 1
        if (bytes === 0) heading[record + layout.heading.count - 1] = []
        const letters = heading.at(-1) ?? []
        // A line break within the quotes of a heading.
        if (byte !== LF && byte !== CR) letters.push(byte)
        else if (!isBare && state === PLACES.quoted && letters.at(-1) !== SPACE) letters.push(SPACE)
      }
      // In \r\n, the \n completes the line that \r ended.
      if (wasCr) {
        wasCr = false
        if (byte === LF) {
          newlines['\r\n'] = true
          if (record === 1 && bytes === 0) bodyStart = Math.max(bodyStart, position + index + 1)
          continue
        }
        newlines['\r'] = true
      }
      if (byte === LF || byte === CR) {
        line++
        if (byte === CR) wasCr = true
        else newlines['\n'] = true
        if (state !== PLACES.quoted) {
          endRecord()
          continue
        }
      }
      if (++bytes > LONGEST_RECORD)
        throw new DefinitionError(
          state === PLACES.quoted
            ? `linha ${quoteLine}: aspas abertas que não se fecham (ou um campo com mais de 1 MB)`
            : `linha ${recordLine}: tem mais de 1 MB; não parece um CSV`,
        )
      if (state === PLACES.quoted) {
        if (byte === QUOTE) state = PLACES.closed
      } else if (byte === byDelimiter) {
        fields++
        state = PLACES.start
      } else if (state === PLACES.closed) {
        if (byte !== QUOTE)
          throw new DefinitionError(
            `linha ${line}: texto depois de aspas fechadas (dentro de aspas, escreva "")`,
          )
        state = PLACES.quoted
      } else if (state === PLACES.start && byte === QUOTE) {
        state = PLACES.quoted
        quoteLine = line
      } else state = PLACES.plain
    }
    position += block.length
  }
  if (wasCr) newlines['\r'] = true
  if (state === PLACES.quoted)
    throw new DefinitionError(`linha ${quoteLine}: aspas abertas que não se fecham`)
  if (bytes > 0) endRecord()
  if (record <= 0 || width === 0) throw new DefinitionError('está vazio: falta ao menos a linha de cabeçalho')

  const encoding = detector.encoding(options.encoding)
  const isWider = rowWidth > width
  const records = record - 1
  const below = isBare || width === 1 ? undefined : await findFooter()
  const [firstOdd] = odd
  if (firstOdd && (!below || firstOdd.record < below.record)) throw new DefinitionError(firstOdd.sentence)
  const hasOtherLines = layout.start > bom || below || isWider || layout.heading.count !== 1
  return {
    delimiter: layout.delimiter,
    encoding,
    newline: newlineOf(newlines),
    heading: layout.heading,
    footer: below && { first: below.line, last: below.last, records: record - below.record },
    records: below ? below.record - 1 : records,
    body: hasOtherLines ? { start: bodyStart, end: below?.start ?? position } : undefined,
    ...columnNames(heading, {
      encoding,
      delimiter: layout.delimiter,
      rows: layout.heading,
      width,
      isBare,
      isWider,
      quotesData: options.quotesData ?? true,
      expected: options.expected,
    }),
  }

  async function findFooter() {
    const first = Math.max(1, records - MAX_BELOW + 1)
    const from = last[first % MAX_BELOW]
    if (!from || records === 0 || position - from.start > TAIL_BYTES) return undefined
    const tail = await readPart(file, from.start, position)
    const found = recordsOf(tail, layout.delimiter, { line: from.line })
    const decoder = new TextDecoder(encoding)
    const index = footerOf(tail, found, rowWidth, (text) => decoder.decode(text))
    const record = index === undefined ? undefined : found[index]
    if (index === undefined || !record) return undefined
    return {
      record: first + index,
      line: record.line,
      last: found.at(-1)?.line ?? record.line,
      start: from.start + record.start,
    }
  }
}

/** Rows from which an author chooses the heading. */
const FIRST_ROWS = 20
const FIRST_LETTERS = 200

/** Returns the rows of the heading, and the first rows with their lines. */
export const readFirstRows = async (file: string, search: HeadingSearch) => {
  const head = await readPart(file, 0, HEAD_BYTES)
  const start = hasBom(head) ? 3 : 0
  const { delimiter, heading } = findLayout(head, start, { ...search, isFirstRecord: false })
  const records = recordsOf(head, delimiter, { start, most: FIRST_ROWS })
  const encoding = isUtf8(head.subarray(0, records.at(-1)?.end)) ? 'utf-8' : 'windows-1252'
  const rows = records.map((record) => {
    const text = new TextDecoder(encoding).decode(head.subarray(record.start, record.end))
    const cells = splitRecord(text, delimiter).map((cell) => cell.replace(/\s+/g, ' ').trim())
    return { row: record.line, text: cells.filter(Boolean).join(' · ').slice(0, FIRST_LETTERS) }
  })
  return { heading, rows }
}

const hasBom = (head: Buffer) => head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf

const newlineOf = (found: { '\n': boolean; '\r\n': boolean; '\r': boolean }): CsvShape['newline'] => {
  if (found['\r'] || (found['\n'] && found['\r\n'])) return 'mixed'
  return found['\r\n'] ? '\r\n' : '\n'
}

/** Returns the bytes from `start` to before `end`, or to the end of the file. */
const readPart = async (file: string, start: number, end: number): Promise<Buffer> => {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
