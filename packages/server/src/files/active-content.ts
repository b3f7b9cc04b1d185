import { createActionTrail } from './pdf-actions.ts'
import { isHostileAddress, isHostileText } from './pdf-addresses.ts'
import { createStreamJudge, type PackedObjects } from './pdf-streams.ts'
import { dictionaryReader, type PdfDictionary, type PlacedToken, placedTokens } from './pdf-structure.ts'
import { pdfTokens } from './pdf-tokens.ts'
import { AGAIN, BROKEN, OTHER_FILES, RefusedPdf, UNREADABLE } from './refused-pdf.ts'

/**
 * Names that only stand where a PDF acts, carries other files, or is locked. Each is refused wherever it stands, used or not:
 * readers differ in what they follow, and an honest document has none of them.
 */
const refusedNames: Record<string, string> = {
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
  ...namedAs('O PDF está protegido por senha ou cifrado. Remova a proteção e envie.', 'Encrypt'),
}

function namedAs(sentence: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, sentence]))
}

/**
 * Looks at every object of a PDF, in use or not, those in compressed object streams too, and at how far each stream unfolds.
 * @throws RefusedPdf
 */
export const refuseActiveContent = async (bytes: Buffer): Promise<void> => {
  refuseForeignBytes(bytes)
  const judgeStream = createStreamJudge()
  const trail = createActionTrail()
  // A reader finds an object by its number and this word, whatever its table of objects says.
  for (const start of placesOf(bytes, 'obj')) {
    if (!/[\s\0\d.+-]/.test(bytes.toString('latin1', start - 1, start))) continue
    const { dictionary, streamAt } = scanObject(bytes, start + 3, trail.read(numberBefore(bytes, start)))
    if (streamAt === undefined) continue
    const packed = await judgeStream({ ...dictionary, bytes, from: streamAt })
    if (packed) scanPacked(packed, trail)
  }
  for (const start of placesOf(bytes, 'trailer')) scanObject(bytes, start + 7, trail.read([]))
  if (trail.opensByItself()) throw new RefusedPdf(LINK)
}

const refuseForeignBytes = (bytes: Buffer): void => {
  if (!/^%PDF-\d\.\d/.test(bytes.toString('latin1', 0, 8))) {
    throw new RefusedPdf(`O arquivo traz outros dados antes do PDF. ${AGAIN}`)
  }
  const end = bytes.lastIndexOf('%%EOF')
  if (end < 0) throw new RefusedPdf(BROKEN)
  if (!/^[\s\0]*$/.test(bytes.toString('latin1', end + 5))) {
    throw new RefusedPdf(`O arquivo traz outros dados depois do PDF. ${AGAIN}`)
  }
}

function* placesOf(bytes: Buffer, word: string): Generator<number> {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) yield at
}

type ActionTrail = ReturnType<typeof createActionTrail>

/** The number of the object whose word `obj` is there; none where it is written in a way that readers may differ in. */
const numberBefore = (bytes: Buffer, at: number): number[] => {
  const [, number] =
    /(?<![\d.])(\d{1,10})[\s\0]+\d{1,5}[\s\0]*$/.exec(bytes.toString('latin1', Math.max(0, at - 60), at)) ??
    []
  return number === undefined ? [] : [Number(number)]
}

interface ScannedObject {
  dictionary: PdfDictionary
  /** Where the bytes of its stream begin. */
  streamAt: number | undefined
}

/** From the word `obj` to the end of the object; a dictionary that is not closed goes on to the end of the file. */
const scanObject = (bytes: Buffer, from: number, trace: (placed: PlacedToken) => void): ScannedObject => {
  const dictionary: PdfDictionary = { entries: new Map(), repeated: new Set() }
  const read = dictionaryReader(dictionary)
  const judge = createTokenJudge()
  for (const placed of placedTokens(bytes, from)) {
    const { token, depth } = placed
    judge(placed)
    read(placed)
    trace(placed)
    if (token.kind !== 'word' || depth > 0) continue
    if (token.value === 'stream') return { dictionary, streamAt: afterLine(bytes, token.end) }
    if (token.value.startsWith('stream')) throw new RefusedPdf(UNREADABLE)
    if (/^(endobj|obj|xref|trailer|startxref)$/.test(token.value)) break
  }
  return { dictionary, streamAt: undefined }
}

/** There is nothing in it but objects and their numbers; a number may lead into what looks like a text or a comment. */
const scanPacked = ({ bytes, first }: PackedObjects, trail: ActionTrail): void => {
  const judge = createTokenJudge()
  for (const placed of placedTokens(bytes, 0)) judge(placed)
  const numbers = [...pdfTokens(bytes.subarray(0, first), 0)].map(({ value }) => Number(value))
  const namedAt = new Map<number, number[]>()
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [number = 0, place = -1] = numbers.slice(index, index + 2)
    const named = namedAt.get(place)
    if (named) named.push(number)
    else namedAt.set(place, [number])
  }
  for (const [place, named] of namedAt) {
    if (!Number.isSafeInteger(place) || place < 0) throw new RefusedPdf(BROKEN)
    const judge = createTokenJudge()
    const trace = trail.read(named)
    let words = 0
    for (const placed of placedTokens(bytes, first + place)) {
      judge(placed)
      trace(placed)
      const { token, depth } = placed
      // The one object that begins there is read; a reference is three words.
      if (depth > 0 || (token.kind === 'mark' && /^(<<|\[)$/.test(token.value))) continue
      words += 1
      if (token.kind !== 'word' || words === 3) break
    }
  }
}

/** @returns what is to be told of every token of an object, in order */
const createTokenJudge = () => {
  let actsAt: number | undefined
  return ({ token: { kind, value }, depth, previous }: PlacedToken): void => {
    if (actsAt !== undefined && depth <= actsAt) actsAt = undefined
    if (kind === 'name') {
      const sentence = Object.hasOwn(refusedNames, value) ? refusedNames[value] : undefined
      if (sentence) throw new RefusedPdf(sentence)
      // An address that is opened without anybody's click.
      if (actsAt !== undefined && value === 'URI') throw new RefusedPdf(LINK)
    } else if (kind === 'string') {
      // The name of a file elsewhere.
      if (previous === 'F' || previous === 'UF') throw new RefusedPdf(OTHER_FILES)
      const isAddress = previous === 'URI' || previous === 'Base'
      if (isAddress ? isHostileAddress(value) : isHostileText(value, depth === 0)) throw new RefusedPdf(LINK)
    } else if ((value === '<<' || value === '[') && (previous === 'OpenAction' || previous === 'AA'))
      actsAt ??= depth
  }
}

const LINK = `O PDF traz um link que executa ações ou abre arquivos. ${AGAIN}`

/** Behind the rest of a line on which there may be nothing but spaces. */
const afterLine = (bytes: Buffer, from: number): number => {
  const end = /^[ \t\0]{0,1000}(\r\n|\r|\n)/.exec(bytes.toString('latin1', from, from + 1002))?.[0]
  if (end === undefined) throw new RefusedPdf(UNREADABLE)
  return from + end.length
}
