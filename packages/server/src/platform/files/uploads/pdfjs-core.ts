import { registerHooks } from 'node:module'

type Class<Instance> = abstract new (...args: never) => Instance

export interface PdfDictionary {
  has: (key: string) => boolean
  /** The value, through at most one reference. */
  get: (key: string) => unknown
  /** The same, and through those of an array's items. */
  getArray: (key: string) => unknown
  getRaw: (key: string) => unknown
  getRawEntries: () => Iterable<[string, unknown]>
  set: (key: string, value: unknown) => void
}

export interface PdfStream {
  dict: PdfDictionary
  /** It decodes into pixels. */
  isImageStream: boolean
  /** What it decodes. */
  stream?: PdfStream
  getBytes: (length?: number) => Uint8Array
  reset: () => void
  makeSubStream: (start: number, length?: number) => PdfStream
}

export interface ObjectTable {
  fetch: (reference: object) => unknown
}

/** The classes of pdf.js's parser; pdfjs-dist exports neither them nor their types. */
interface PdfjsCore {
  BaseStream: Class<PdfStream>
  Cmd: Class<{ cmd: string }>
  Dict: Class<PdfDictionary> & { prototype: PdfDictionary }
  Lexer: new (stream: PdfStream) => object
  Name: Class<{ name: string }>
  Parser: new (options: {
    lexer: object
    xref: ObjectTable
    allowStreams: boolean
  }) => { getObj: () => unknown }
  PDFDocument: new (
    manager: object,
    stream: PdfStream,
  ) => { xref: ObjectTable; parseStartXRef: () => void; parse: (isRepair: boolean) => void }
  Ref: Class<{ num: number }>
  Stream: new (bytes: Uint8Array) => PdfStream
}

const names = ['BaseStream', 'Cmd', 'Dict', 'Lexer', 'Name', 'Parser', 'PDFDocument', 'Ref', 'Stream']

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/pdf.worker.mjs?parser')) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: `${source}\nexport { ${names.join(', ')} }` }
  },
})
// The query makes Node load the module, although it may be in memory without these exports. As the
// first to be loaded, the public API of pdf.js uses this instance too.
const core: PdfjsCore = await import(
  `${import.meta.resolve('pdfjs-dist/legacy/build/pdf.worker.mjs')}?parser`
)
hooks.deregister()

export const { BaseStream, Cmd, Dict, Lexer, Name, Parser, PDFDocument, Ref, Stream } = core

type Entry = [key: string, value: unknown]
const replaced: Entry[] = []
const { set } = Dict.prototype
Dict.prototype.set = function (key, value) {
  if (this.has(key)) replaced.push([key, this.getRaw(key)])
  set.call(this, key, value)
}

/**
 * Returns the entries that a later one of the same key has replaced since the last call: pdf.js
 * takes the last, other readers the first.
 */
export const takeReplacedEntries = (): Entry[] => replaced.splice(0)
