import { objectsOf, packedEntriesOf, readObjectTable } from './pdf-objects.ts'
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

/** No font or drawing may have such a name: readers look for the form and the lock by these keys only. */
const actingKeys = new Set(['XFA', 'Encrypt'])

/** The name below such a key, or in its array, names a font, a glyph or the state of a button. */
const keysOfOwnNames = new Set(['BaseFont', 'FontName', 'Name', 'AS', 'Differences'])

/** A dictionary with one of them is used in another way than as a font or drawing. */
const keysOfOtherUse = ['F', 'UF', 'DOS', 'Mac', 'Unix', 'Names', 'Kids', 'S']

const LINK = `O PDF traz um link que executa ações ou abre arquivos. ${AGAIN}`

/**
 * Looks at every object of a PDF for active content, and at the decoded size of each stream.
 * @throws RefusedPdf; errors of pdf.js for a file that it cannot read
 */
export const refuseActiveContent = (bytes: Buffer): void => {
  // pdf.js reads the whole buffer behind the bytes, which may be shared.
  const copy = Buffer.from(Uint8Array.from(bytes).buffer)
  try {
    validateObjects(copy, false)
  } catch (error) {
    if (error instanceof RefusedPdf) throw error
    // As the viewer does with a damaged table.
    validateObjects(copy, true)
  }
}

const validateObjects = (bytes: Buffer, isRepair: boolean): void => {
  const table = readObjectTable(bytes, isRepair)
  const named = createNamedObjects()
  const validate = createObjectValidator(table, named)
  takeReplacedEntries()
  for (const { number, place, object } of objectsOf(bytes, table)) {
    validate(object)
    named.add([number, place], object)
    if (object instanceof BaseStream) {
      for (const entry of packedEntriesOf(object)) named.place(entry.number, entry.place)
    }
    for (const [key, value] of takeReplacedEntries()) {
      if (object instanceof BaseStream && streamKeys.has(key)) throw new RefusedPdf(UNREADABLE)
      refuseName(key)
      validate(value, key)
    }
  }
  named.expectHarmless()
}

/**
 * Collects what a refused name refers to. It is harmless if each object that may have that number is
 * a font, or a stream such as a glyph or a drawing: readers differ in which of several they take.
 */
const createNamedObjects = () => {
  const kinds = new Map<number | string | undefined, Set<'harmless' | 'other'>>()
  const places = new Map<number, Set<string>>()
  const references: { number: number; sentence: string }[] = []
  return {
    /** @param labels its number and place; an undefined number: the object may have any */
    add: ([number, place]: [number | undefined, string | undefined], object: unknown) => {
      const kind = isFont(object) || isDrawing(object) ? 'harmless' : 'other'
      for (const label of place === undefined ? [number] : [number, place]) {
        kinds.set(label, (kinds.get(label) ?? new Set()).add(kind))
      }
    },
    /** Adds that a table gives this number to the object in this place. */
    place: (number: number, place: string) => {
      places.set(number, (places.get(number) ?? new Set()).add(place))
    },
    /** Refuses what neither is a font nor refers to an object of the file. */
    refer: (name: string, value: unknown, sentence: string) => {
      if (actingKeys.has(name)) throw new RefusedPdf(sentence)
      if (value instanceof Ref) references.push({ number: value.num, sentence })
      else if (!isFont(value)) throw new RefusedPdf(sentence)
    },
    expectHarmless: () => {
      for (const { number, sentence } of references) {
        const placed = [...(places.get(number) ?? [])].flatMap((place) => [...(kinds.get(place) ?? [])])
        const found = [...(kinds.get(number) ?? []), ...placed]
        const isHarmless = [...found, ...(kinds.get(undefined) ?? [])].every((kind) => kind === 'harmless')
        if (found.length === 0 || !isHarmless) throw new RefusedPdf(sentence)
      }
    },
  }
}

const isFont = (value: unknown): boolean => {
  if (!(value instanceof Dict) || hasOtherUse(value)) return false
  const type = value.getRaw('Type')
  return type instanceof Name && type.name === 'Font'
}

const isDrawing = (value: unknown): boolean => value instanceof BaseStream && !hasOtherUse(value.dict)

const hasOtherUse = (dictionary: PdfDictionary): boolean => keysOfOtherUse.some((key) => dictionary.has(key))

/** Decide how a stream is decoded, so they must not be ambiguous. */
const streamKeys = new Set('Filter DecodeParms DP Type N First Width Height W H Index Size'.split(' '))

/** Returns a function that refuses an object with active content. */
const createObjectValidator = (table: ObjectTable, named: ReturnType<typeof createNamedObjects>) => {
  /** @param key of the dictionary entry whose value it is; undefined for an object by itself */
  const validate = (value: unknown, key?: string): void => {
    if (value instanceof Name) {
      if (key === undefined || !keysOfOwnNames.has(key)) refuseName(value.name)
    } else if (typeof value === 'string') validateText(value, key)
    else if (Array.isArray(value))
      for (const item of value) validate(item, item instanceof Name ? (key ?? '') : '')
    else if (value instanceof BaseStream) validate(value.dict)
    else if (value instanceof Dict) validateDictionary(value)
  }

  const validateDictionary = (dictionary: PdfDictionary): void => {
    for (const [key, value] of dictionary.getRawEntries()) {
      validateKey(dictionary, key, value)
      // A key without a value: readers differ in what they take for it.
      if (value instanceof Cmd && value.cmd === '>>') throw new RefusedPdf(BROKEN)
      validate(value, key)
    }
    const events = resolve(dictionary.get('AA'))
    const actions = events instanceof Dict ? [...events.getRawEntries()].map(([, action]) => action) : []
    // An array is a place in the document.
    const opening = resolve(dictionary.get('OpenAction'))
    if (!Array.isArray(opening)) actions.push(dictionary.getRaw('OpenAction'))
    if (actions.some((action) => opensAddress(action))) throw new RefusedPdf(LINK)
  }

  const validateKey = (dictionary: PdfDictionary, key: string, value: unknown): void => {
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
    if (hops > MAX_HOPS) throw new RefusedPdf(BROKEN)
    return resolve(table.fetch(value), hops + 1)
  }

  return validate
}

/** References to references; honest files have none. */
const MAX_HOPS = 20

const refuseName = (name: string): void => {
  const sentence = refusedNames.get(name)
  if (sentence) throw new RefusedPdf(sentence)
}

const validateText = (binary: string, key: string | undefined): void => {
  if (key === 'F' || key === 'UF') throw new RefusedPdf(OTHER_FILES)
  // Spaces, controls and the zero bytes of UTF-16 could hide a scheme.
  const text = binary.replace(/[^\x21-\x7e]/g, '')
  const isHostile =
    key === 'URI' || key === 'Base' ? isHostileAddress(text) : isHostileText(text, key === undefined)
  if (isHostile) throw new RefusedPdf(LINK)
}

/**
 * Returns whether a text contains, in printable ASCII, an address that runs scripts or opens files.
 * @param isAlone it is an object by itself, so a link may refer to it
 */
const isHostileText = (text: string, isAlone: boolean): boolean =>
  // 'Data:' begins many a Portuguese text.
  /^((java|vb|live)script:|data:([a-z]+\/[a-z]|[;,]))/i.test(text) ||
  (isAlone && /^((file|search|search-ms|ms-[\w-]+|smb):|[\\/]{2})/i.test(text))

/** Returns whether a link's address starts a program or opens a file of another machine. */
const isHostileAddress = (address: string): boolean => {
  if (/^[\\/]{2}/.test(address)) return true
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]
  return scheme !== undefined && !/^(https?|mailto|tel|sms|whatsapp|geo)$/i.test(scheme)
}
