import { isHostileAddress, isHostileText } from './pdf-addresses.ts'
import { objectsOf, readObjectTable } from './pdf-objects.ts'
import {
  BaseStream,
  Cmd,
  Dict,
  Name,
  type ObjectTable,
  type PdfDictionary,
  Ref,
  takeReplacedEntries,
} from './pdfjs-core.ts'
import { AGAIN, BROKEN, OTHER_FILES, PROTECTED, RefusedPdf, UNREADABLE } from './refused-pdf.ts'

/**
 * Names by which a PDF acts, carries other files, or is locked. Each is refused in any object, used
 * or not, because readers differ in what they follow; unless it names a font, a glyph or a drawing.
 */
const refusedNames = new Map([
  ...namedAs(`O PDF traz um script (JavaScript). ${AGAIN}`, 'JavaScript', 'JS'),
  ...namedAs(OTHER_FILES, 'Launch', 'SubmitForm', 'ImportData', 'GoToR', 'GoToE'),
  ...namedAs(
    `O PDF traz outros arquivos anexados. ${AGAIN}`,
    'EmbeddedFile',
    'EmbeddedFiles',
    'FileAttachment',
    'EF',
  ),
  ...namedAs(
    `O PDF traz som, vídeo ou conteúdo interativo. ${AGAIN}`,
    'RichMedia',
    'RichMediaExecute',
    'Rendition',
    'Movie',
    'Sound',
    '3D',
  ),
  ...namedAs(`O PDF traz um formulário XFA, que executa ações. ${AGAIN}`, 'XFA'),
  ...namedAs(PROTECTED, 'Encrypt'),
  ...namedAs(UNREADABLE, 'Crypt'),
])

function namedAs(sentence: string, ...names: string[]): [string, string][] {
  return names.map((name) => [name, sentence])
}

/** What is a stream or text below these keys acts or locks; only a font may have such a name. */
const notOfStreams = new Set(['XFA', 'Encrypt'])

/** The name below such a key, or in its array, names a font, a glyph or the state of a button. */
const keysOfOwnNames = new Set(['BaseFont', 'FontName', 'Name', 'AS', 'Differences'])

/** A dictionary with one of them is used in another way than as a font. */
const keysOfNoFont = ['F', 'UF', 'DOS', 'Mac', 'Unix', 'Names', 'Kids', 'S']

const LINK = `O PDF traz um link que executa ações ou abre arquivos. ${AGAIN}`

/**
 * Looks at every object of a PDF for active content, and at the decoded size of each stream.
 * @throws RefusedPdf; errors of pdf.js for a file that it cannot read
 */
export const refuseActiveContent = (bytes: Buffer): void => {
  // pdf.js reads the whole buffer behind the bytes, which may be shared.
  const copy = Buffer.from(Uint8Array.from(bytes).buffer)
  try {
    judgeObjects(copy, false)
  } catch (error) {
    if (error instanceof RefusedPdf) throw error
    // As the viewer does with a damaged table.
    judgeObjects(copy, true)
  }
}

const judgeObjects = (bytes: Buffer, isRepair: boolean): void => {
  const table = readObjectTable(bytes, isRepair)
  const named = createNamedObjects()
  const judge = createObjectJudge(table, named)
  takeReplacedEntries()
  for (const { number, object } of objectsOf(bytes, table)) {
    judge(object)
    named.add(number, object)
    for (const [key, value] of takeReplacedEntries()) {
      if (object instanceof BaseStream && streamKeys.has(key)) throw new RefusedPdf(UNREADABLE)
      refuseName(key)
      judge(value, key)
    }
  }
  named.expectHarmless()
}

/**
 * Collects what a refused name refers to. It is harmless if each object of that number is a font, or
 * a stream such as a glyph or a drawing: readers differ in which of several objects they take.
 */
const createNamedObjects = () => {
  const kinds = new Map<number | undefined, Set<'font' | 'stream' | 'other'>>()
  const references: { number: number; name: string; sentence: string }[] = []
  return {
    /** @param number undefined: the object may have any number */
    add: (number: number | undefined, object: unknown) => {
      const kind = isFont(object) ? 'font' : object instanceof BaseStream ? 'stream' : 'other'
      kinds.set(number, (kinds.get(number) ?? new Set()).add(kind))
    },
    /** Refuses what neither is a font nor refers to an object of the file. */
    refer: (name: string, value: unknown, sentence: string) => {
      if (value instanceof Ref) references.push({ number: value.num, name, sentence })
      else if (!isFont(value)) throw new RefusedPdf(sentence)
    },
    expectHarmless: () => {
      for (const { number, name, sentence } of references) {
        const found = [...(kinds.get(number) ?? ['other']), ...(kinds.get(undefined) ?? [])]
        const isHarmless = found.every(
          (kind) => kind === 'font' || (kind === 'stream' && !notOfStreams.has(name)),
        )
        if (!isHarmless) throw new RefusedPdf(sentence)
      }
    },
  }
}

const isFont = (value: unknown): boolean => {
  if (!(value instanceof Dict) || keysOfNoFont.some((key) => value.has(key))) return false
  const type = value.getRaw('Type')
  return type instanceof Name && type.name === 'Font'
}

/** Decide how a stream is decoded, so they must not be ambiguous. */
const streamKeys = new Set(['Filter', 'DecodeParms', 'DP', 'Type', 'N', 'First', 'Width', 'Height', 'W', 'H'])

/** Returns a function that refuses an object with active content. */
const createObjectJudge = (table: ObjectTable, named: ReturnType<typeof createNamedObjects>) => {
  /** @param key of the dictionary entry whose value it is; undefined for an object by itself */
  const judge = (value: unknown, key?: string): void => {
    if (value instanceof Name) {
      if (key === undefined || !keysOfOwnNames.has(key)) refuseName(value.name)
    } else if (typeof value === 'string') judgeText(value, key)
    else if (Array.isArray(value))
      for (const item of value) judge(item, item instanceof Name ? (key ?? '') : '')
    else if (value instanceof BaseStream) judge(value.dict)
    else if (value instanceof Dict) judgeDictionary(value)
  }

  const judgeDictionary = (dictionary: PdfDictionary): void => {
    for (const [key, value] of dictionary.getRawEntries()) {
      judgeKey(dictionary, key, value)
      // A key without a value: readers differ in what they take for it.
      if (value instanceof Cmd && value.cmd === '>>') throw new RefusedPdf(BROKEN)
      judge(value, key)
    }
    const events = resolve(dictionary.get('AA'))
    const actions = events instanceof Dict ? [...events.getRawEntries()].map(([, action]) => action) : []
    // An array is a place in the document.
    const opening = resolve(dictionary.get('OpenAction'))
    if (!Array.isArray(opening)) actions.push(dictionary.getRaw('OpenAction'))
    if (actions.some((action) => opensAddress(action))) throw new RefusedPdf(LINK)
  }

  const judgeKey = (dictionary: PdfDictionary, key: string, value: unknown): void => {
    const sentence = refusedNames.get(key)
    if (!sentence) return
    named.refer(key, value, sentence)
    // The text of a script may be a stream; its dictionary then says that it is one.
    const type = key === 'JS' ? dictionary.getRaw('S') : undefined
    if (type !== undefined) named.refer(key, type, sentence)
  }

  /** Returns whether actions, or those that follow them, open an address. */
  const opensAddress = (action: unknown, seen = new Set<unknown>()): boolean => {
    const value = resolve(action)
    // Another reader may find what pdf.js does not.
    if (action instanceof Ref && value === null) return true
    if (seen.has(value)) return false
    seen.add(value)
    if (Array.isArray(value)) return value.some((item) => opensAddress(item, seen))
    return value instanceof Dict && (value.has('URI') || opensAddress(value.get('Next'), seen))
  }

  const resolve = (value: unknown, hops = 0): unknown => {
    if (!(value instanceof Ref)) return value
    if (hops > HOPS_AT_MOST) throw new RefusedPdf(BROKEN)
    return resolve(table.fetch(value), hops + 1)
  }

  return judge
}

/** References to references; honest files have none. */
const HOPS_AT_MOST = 20

const refuseName = (name: string): void => {
  const sentence = refusedNames.get(name)
  if (sentence) throw new RefusedPdf(sentence)
}

const judgeText = (binary: string, key: string | undefined): void => {
  if (key === 'F' || key === 'UF') throw new RefusedPdf(OTHER_FILES)
  // Spaces, controls and the zero bytes of UTF-16 could hide a scheme.
  const text = binary.replace(/[^\x21-\x7e]/g, '')
  const isHostile =
    key === 'URI' || key === 'Base' ? isHostileAddress(text) : isHostileText(text, key === undefined)
  if (isHostile) throw new RefusedPdf(LINK)
}
