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
  /** 0 for a trailer; undefined for an object whose number is written oddly. */
  number: number | undefined
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
    yield { number: numberBefore(bytes, start), object }
    if (!(object instanceof BaseStream)) continue
    measure(object)
    if (isObjectStream(object)) yield* packedObjects(object, table)
  }
  for (const start of placesOf(bytes, 'trailer')) {
    yield { number: 0, object: parserAt(file, start + 7, table).getObj() }
  }
}

/** Returns the number of the object whose word 'obj' starts here. */
const numberBefore = (bytes: Buffer, start: number): number | undefined => {
  const before = bytes.toString('latin1', Math.max(0, start - 40), start)
  const number = /(?:^|[^\d.+-])(\d+)[\s\0]+\d+[\s\0]*$/.exec(before)?.[1]
  return number === undefined ? undefined : Number(number)
}

function* placesOf(bytes: Buffer, word: string): Generator<number> {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) yield at
}

/** Yields the objects of an object stream; its head is pairs of an object's number and place. */
function* packedObjects(packed: PdfStream, table: ObjectTable): Generator<NumberedObject> {
  const first = Number(packed.dict.get('First'))
  packed.reset()
  const stream = new Stream(Uint8Array.from(packed.getBytes()))
  const head = parserAt(stream, 0, table, first)
  for (let number = head.getObj(); Number.isInteger(number); number = head.getObj()) {
    const object = parserAt(stream, first + Number(head.getObj()), table).getObj()
    yield { number: Number(number), object }
  }
}

const parserAt = (stream: PdfStream, start: number, xref: ObjectTable, length?: number) =>
  new Parser({ lexer: new Lexer(stream.makeSubStream(start, length)), xref, allowStreams: true })
