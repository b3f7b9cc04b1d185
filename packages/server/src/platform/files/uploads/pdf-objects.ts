import { createStreamMeter, isObjectStream } from './pdf-streams.ts'
import {
  BaseStream,
  Lexer,
  type ObjectTable,
  Parser,
  PDFDocument,
  type PdfStream,
  Stream,
} from './pdfjs-core.ts'
import { BROKEN, RefusedPdf } from './refused-pdf.ts'

/**
 * Returns the table of objects of a PDF, read by pdf.js.
 * @param isRepair ignores the stored table and searches the file for objects
 */
export const readObjectTable = (bytes: Uint8Array, isRepair: boolean): ObjectTable => {
  const document = new PDFDocument({ docId: '', evaluatorOptions: {} }, new Stream(bytes))
  document.parseStartXRef()
  document.parse(isRepair)
  return document.xref
}

interface NumberedObject {
  /** 0 for a trailer; undefined: readers may take it for the object of any number. */
  number: number | undefined
  /** Of an object in an object stream, as a table would say it. */
  place?: string | undefined
  object: unknown
}

/**
 * Yields every object of a PDF, used or not, those in object streams too, and its trailers. The
 * table only resolves references, because readers differ in the tables that they follow.
 * @throws RefusedPdf for a stream that is too large; errors of pdf.js for a damaged object
 */
export function* objectsOf(bytes: Buffer, table: ObjectTable): Generator<NumberedObject> {
  const measure = createStreamMeter()
  const file = new Stream(bytes)
  for (const start of placesOf(bytes, 'obj')) {
    if (!/[\s\0\d.+-]/.test(bytes.toString('latin1', start - 1, start))) continue
    const object = parserAt(file, start + 3, table).getObj()
    const number = numberBefore(bytes, start)
    yield { number, object }
    if (!(object instanceof BaseStream)) continue
    measure(object)
    if (isObjectStream(object)) yield* packedObjects(object, number, table)
  }
  for (const start of placesOf(bytes, 'trailer')) {
    yield { number: 0, object: parserAt(file, start + 7, table).getObj() }
  }
}

/**
 * Returns the number of the object whose word 'obj' starts here, if its head is a line by itself as
 * programs write it. A comment, for example, could hide the number that readers see.
 */
const numberBefore = (bytes: Buffer, start: number): number | undefined => {
  const before = bytes.toString('latin1', Math.max(0, start - 40), start)
  const number = /[\r\n] *(\d+)[ \t]+\d+[ \t]+$/.exec(before)?.[1]
  return plainNumber(Number(number))
}

/** Readers count larger numbers differently. */
const MAX_NUMBER = 999_999_999

const plainNumber = (number: number): number | undefined =>
  Number.isInteger(number) && number >= 0 && number <= MAX_NUMBER ? number : undefined

function* placesOf(bytes: Buffer, word: string): Generator<number> {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) yield at
}

/** Yields the objects of an object stream; its head is pairs of an object's number and place. */
function* packedObjects(
  packed: PdfStream,
  streamNumber: number | undefined,
  table: ObjectTable,
): Generator<NumberedObject> {
  const first = Number(packed.dict.get('First'))
  packed.reset()
  const stream = new Stream(Uint8Array.from(packed.getBytes()))
  const head = parserAt(stream, 0, table, first)
  let index = 0
  for (let number = head.getObj(); Number.isInteger(number); number = head.getObj(), index += 1) {
    const object = parserAt(stream, first + Number(head.getObj()), table).getObj()
    // A table may give the object another number by its place.
    const isPlaced = streamNumber !== undefined
    yield {
      number: isPlaced ? plainNumber(Number(number)) : undefined,
      place: isPlaced ? packedPlace(streamNumber, index) : undefined,
      object,
    }
  }
}

const packedPlace = (streamNumber: number, index: number): string => `${streamNumber}/${index}`

interface PackedEntry {
  number: number
  place: string
}

/**
 * Yields what a stream says of objects in object streams, if it is a cross-reference table.
 * @throws RefusedPdf for a table that readers may read differently
 */
export function* packedEntriesOf(stream: PdfStream): Generator<PackedEntry> {
  const { dict } = stream
  const widths = dict.getArray('W')
  if (!Array.isArray(widths)) return
  const ranges = dict.has('Index') ? dict.getArray('Index') : [0, dict.get('Size')]
  if (!areNumbers(widths) || !areNumbers(ranges) || widths.length < 3) throw new RefusedPdf(BROKEN)
  const rowLength = widths.reduce((sum, width) => sum + width, 0)
  if (rowLength === 0) throw new RefusedPdf(BROKEN)
  stream.reset()
  const bytes = Buffer.from(stream.getBytes())
  const [typeWidth = 0, numberWidth = 0, indexWidth = 0] = widths
  let at = 0
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    const [from = 0, count = 0] = ranges.slice(range, range + 2)
    for (let number = from; number < from + count; number += 1, at += rowLength) {
      if (at + rowLength > bytes.length) return
      if (valueAt(bytes, at, typeWidth) !== PACKED) continue
      const streamNumber = valueAt(bytes, at + typeWidth, numberWidth)
      const index = valueAt(bytes, at + typeWidth + numberWidth, indexWidth)
      if ([number, streamNumber].some((one) => plainNumber(one) === undefined)) throw new RefusedPdf(BROKEN)
      yield { number, place: packedPlace(streamNumber, index) }
    }
  }
}

/** The type of such an entry, ISO 32000-1, 7.5.8.3. */
const PACKED = 2

const areNumbers = (values: unknown): values is number[] =>
  Array.isArray(values) &&
  values.every((value) => typeof value === 'number' && plainNumber(value) !== undefined)

const valueAt = (bytes: Buffer, at: number, width: number): number => {
  let value = 0
  for (const byte of bytes.subarray(at, at + width)) value = value * 256 + byte
  return value
}

const parserAt = (stream: PdfStream, start: number, xref: ObjectTable, length?: number) =>
  new Parser({ lexer: new Lexer(stream.makeSubStream(start, length)), xref, allowStreams: true })
