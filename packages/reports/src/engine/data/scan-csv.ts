import { createReadStream } from 'node:fs'
import type { CsvOptions } from '../definitions/definition.ts'
import { DefinitionError } from '../definitions/definition-error.ts'
import { createEncodingDetector } from './detect-encoding.ts'

/** The format of a file, found by reading every byte once, in bounded memory. */
export type CsvShape = {
  delimiter: string
  encoding: 'utf-8' | 'windows-1252'
  /** `mixed`: several line endings, so that DuckDB needs a rewritten copy. */
  newline: '\n' | '\r\n' | 'mixed'
  columns: string[]
  /** Number of rows, without the heading. */
  records: number
}

/** Bytes of one record: limits a field, a line, and quotes without end. */
const LONGEST_RECORD = 1_000_000
export const MOST_COLUMNS = 500
const DELIMITERS = [';', ',', '\t', '|'] as const

const [NUL, TAB, LF, CR, QUOTE] = [0, 9, 10, 13, 34]

/**
 * Validates a CSV file and returns its format.
 * @param lineOf a record (1 is the first after the heading): `onLine` gets the line where it starts
 * @throws DefinitionError with the line of a record that is malformed, too long, or not text
 */
export async function scanCsv(
  file: string,
  options: CsvOptions = {},
  lineOf?: { record: number; onLine: (line: number) => void },
): Promise<CsvShape> {
  const head = await readHead(file)
  refuseUtf16(head)
  const delimiter = options.delimiter ?? delimiterOf(head)
  const byDelimiter = delimiter.charCodeAt(0)
  const judge = createEncodingDetector()
  const newlines = { '\n': false, '\r\n': false, '\r': false }
  const heading: number[] = []

  let line = 1
  let record = 0
  let width = 0
  let recordLine = 1
  let quoteLine = 0
  let bytes = 0
  let fields = 1
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let wasCr = false

  const endRecord = () => {
    // Empty lines are skipped, except with a single column, where they may be empty values.
    if (bytes > 0 || (record > 0 && width === 1)) {
      if (record === 0) width = fields
      else if (fields !== width)
        throw new DefinitionError(
          `linha ${recordLine}: ${fields} ${fields === 1 ? 'campo' : 'campos'}, e o cabeçalho tem ${width}`,
        )
      if (width > MOST_COLUMNS) throw new DefinitionError(`tem ${width} colunas; o limite é ${MOST_COLUMNS}`)
      if (lineOf?.record === record && record > 0) lineOf.onLine(recordLine)
      record++
    }
    bytes = 0
    fields = 1
    state = 'start'
  }

  for await (const chunk of createReadStream(file, { start: hasBom(head) ? 3 : 0, highWaterMark: 1 << 18 })) {
    for (const byte of chunk as Buffer) {
      if (bytes === 0) recordLine = line
      if (byte === NUL) throw new DefinitionError(`linha ${line}: tem um byte nulo; não é um texto CSV`)
      if (byte >= 0x80 || judge.isWaiting()) judge.take(byte, line)
      if (record === 0 && byte !== LF && byte !== CR) heading.push(byte)
      // In \r\n, the \n completes the line that \r ended.
      if (wasCr) {
        wasCr = false
        if (byte === LF) {
          newlines['\r\n'] = true
          continue
        }
        newlines['\r'] = true
      }
      if (byte === LF || byte === CR) {
        line++
        if (byte === CR) wasCr = true
        else newlines['\n'] = true
        if (state !== 'quoted') {
          endRecord()
          continue
        }
      }
      if (++bytes > LONGEST_RECORD)
        throw new DefinitionError(
          state === 'quoted'
            ? `linha ${quoteLine}: aspas abertas que não se fecham (ou um campo com mais de 1 MB)`
            : `linha ${recordLine}: tem mais de 1 MB; não parece um CSV`,
        )
      if (state === 'quoted') {
        if (byte === QUOTE) state = 'closed'
      } else if (byte === byDelimiter) {
        fields++
        state = 'start'
      } else if (state === 'closed') {
        if (byte !== QUOTE)
          throw new DefinitionError(
            `linha ${line}: texto depois de aspas fechadas (dentro de aspas, escreva "")`,
          )
        state = 'quoted'
      } else if (state === 'start' && byte === QUOTE) {
        state = 'quoted'
        quoteLine = line
      } else state = 'plain'
    }
  }
  if (wasCr) newlines['\r'] = true
  if (state === 'quoted') throw new DefinitionError(`linha ${quoteLine}: aspas abertas que não se fecham`)
  if (bytes > 0) endRecord()
  if (record === 0) throw new DefinitionError('está vazio: falta ao menos a linha de cabeçalho')

  const encoding = judge.encoding(options.encoding)
  return {
    delimiter,
    encoding,
    newline: newlineOf(newlines),
    records: record - 1,
    columns: columnNames(heading, encoding, delimiter),
  }
}

export const hasBom = (head: Buffer) => head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf

function newlineOf(found: { '\n': boolean; '\r\n': boolean; '\r': boolean }): CsvShape['newline'] {
  if (found['\r'] || (found['\n'] && found['\r\n'])) return 'mixed'
  return found['\r\n'] ? '\r\n' : '\n'
}

async function readHead(file: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: 65_535 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function refuseUtf16(head: Buffer) {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new DefinitionError('está em UTF-16; salve como CSV UTF-8')
}

/** The most frequent delimiter of the heading, outside quotes; without any there is one column. */
function delimiterOf(head: Buffer): (typeof DELIMITERS)[number] {
  const counts = new Map<number, number>()
  let isQuoted = false
  for (const byte of head) {
    if (byte === QUOTE) isQuoted = !isQuoted
    else if ((byte === LF || byte === CR) && !isQuoted) break
    else if (!isQuoted) counts.set(byte, (counts.get(byte) ?? 0) + 1)
  }
  const count = (mark: string) => counts.get(mark.charCodeAt(0)) ?? 0
  return [...DELIMITERS].sort((one, other) => count(other) - count(one))[0] ?? ';'
}

function columnNames(heading: number[], encoding: string, delimiter: string): string[] {
  const text = new TextDecoder(encoding).decode(Buffer.from(heading))
  const names = splitRecord(text, delimiter).map((name) => name.trim())
  const seen = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const place = `linha 1: a coluna ${index + 1}`
    if (!name) throw new DefinitionError(`${place} não tem nome`)
    if (name.length > 120) throw new DefinitionError(`${place} tem um nome com mais de 120 letras`)
    const earlier = seen.get(name.toLowerCase())
    if (earlier !== undefined)
      throw new DefinitionError(
        `${place} repete o nome ${name}, da coluna ${earlier + 1} (maiúsculas não distinguem)`,
      )
    if ([...name].some((letter) => letter.charCodeAt(0) < 32 && letter.charCodeAt(0) !== TAB))
      throw new DefinitionError(`${place} tem um caractere de controle no nome`)
    seen.set(name.toLowerCase(), index)
  }
  return names
}

/** Splits a record that has been validated. */
function splitRecord(text: string, delimiter: string): string[] {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (const letter of text) {
    if (letter === '"' && (isQuoted || field === '')) {
      isQuoted = !isQuoted
      field += letter
    } else if (letter === delimiter && !isQuoted) {
      fields.push(field)
      field = ''
    } else field += letter
  }
  return [...fields, field].map((one) => (one.startsWith('"') ? one.slice(1, -1).replaceAll('""', '"') : one))
}
