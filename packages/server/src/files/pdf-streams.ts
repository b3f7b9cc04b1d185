import { type Count, decodeAscii85, decodeHex, inflate, measureLzw, measureRunLength } from './pdf-filters.ts'
import type { PdfDictionary } from './pdf-structure.ts'
import { BROKEN, OTHER_FILES, RefusedPdf, TOO_MUCH, UNREADABLE } from './refused-pdf.ts'

const MEGABYTE = 1024 * 1024
/** Of objects: more is no document. */
const OBJECTS_AT_MOST = 64 * MEGABYTE
/** Of anything else; a page scanned in colour at 600 dpi is some 100 MB. */
const STREAM_AT_MOST = 256 * MEGABYTE
/** Of all streams together. */
const ALL_AT_MOST = 1024 * MEGABYTE
/** Pixels of one image. */
const PIXELS_AT_MOST = 150_000_000

/** The bytes of a stream begin at `from`; where they end, they say themselves: a reader may not believe `Length`. */
export interface PdfStream extends PdfDictionary {
  bytes: Buffer
  from: number
}

/** Of the objects in an object stream. */
export interface PackedObjects {
  bytes: Buffer
  /** How long its head of numbers is. */
  first: number
}

/** Looks into the streams of one document. What it throws is a RefusedPdf. */
export const createStreamJudge = () => {
  let all = 0
  const countTo = (atMost: number): Count => {
    let length = 0
    return (bytes) => {
      length += bytes
      all += bytes
      if (length > atMost || all > ALL_AT_MOST) throw new RefusedPdf(TOO_MUCH)
    }
  }

  /** @returns the objects in an object stream; undefined where the stream is none: that is measured */
  return async (stream: PdfStream): Promise<PackedObjects | undefined> => {
    refuseOddDictionary(stream)
    refuseLargeImage(stream)
    const filters = filtersOf(stream)
    // Some readers ask only for these two numbers, and not for the type.
    const isObjectStream = stream.entries.has('First') && stream.entries.has('N')
    if (!isObjectStream) {
      await measure(stream, filters, countTo(STREAM_AT_MOST))
      return undefined
    }
    const first = numberOf(stream, 'First')
    const packed = stream.bytes.subarray(stream.from)
    // Without a filter its end is not known for certain: all that follows is looked at.
    if (filters.length === 0) return { bytes: packed, first }
    if (filters.join() !== 'Flate' || !isWithoutPredictor(stream)) throw new RefusedPdf(UNREADABLE)
    const chunks: Buffer[] = []
    const isWhole = await inflate(packed, countTo(OBJECTS_AT_MOST), (chunk) => chunks.push(chunk))
    if (!isWhole) throw new RefusedPdf(BROKEN)
    return { bytes: Buffer.concat(chunks), first }
  }
}

/** What decides how a stream is read. */
const deciding = ['Filter', 'DecodeParms', 'DP', 'Type', 'N', 'First', 'Width', 'Height', 'W', 'H']
/** The first three put the bytes into another file, the last one takes the drawing from there. */
const elsewhere = ['F', 'FFilter', 'FDecodeParms', 'Ref']

const refuseOddDictionary = ({ entries, repeated }: PdfStream): void => {
  if (elsewhere.some((key) => entries.has(key))) throw new RefusedPdf(OTHER_FILES)
  if (deciding.some((key) => repeated.has(key))) throw new RefusedPdf(UNREADABLE)
}

const refuseLargeImage = (stream: PdfStream): void => {
  const side = (long: string, short: string): number =>
    Math.max(numberOf(stream, long), isList(stream, short) ? 0 : numberOf(stream, short))
  if (side('Width', 'W') * side('Height', 'H') > PIXELS_AT_MOST) throw new RefusedPdf(TOO_MUCH)
}

/** A cross-reference stream has a list of widths. */
const isList = ({ entries }: PdfStream, key: string): boolean => entries.get(key)?.[0]?.value === '['

/** 0 where there is none; one that stands in another object is not followed. */
const numberOf = ({ entries }: PdfStream, key: string): number => {
  const value = entries.get(key)
  if (!value) return 0
  const [token, more] = value
  if (more || token?.kind !== 'word' || !/^\d{1,9}$/.test(token.value)) throw new RefusedPdf(UNREADABLE)
  return Number(token.value)
}

type Filter = 'Hex' | '85' | 'Flate' | 'LZW' | 'RunLength' | 'image'
const filterNames: Record<string, Filter> = {
  ...{ ASCIIHexDecode: 'Hex', AHx: 'Hex', ASCII85Decode: '85', A85: '85' },
  ...{ FlateDecode: 'Flate', Fl: 'Flate', LZWDecode: 'LZW', LZW: 'LZW' },
  ...{ RunLengthDecode: 'RunLength', RL: 'RunLength' },
  ...{ CCITTFaxDecode: 'image', CCF: 'image', DCTDecode: 'image', DCT: 'image' },
  ...{ JPXDecode: 'image', JBIG2Decode: 'image' },
}

const filtersOf = ({ entries }: PdfStream): Filter[] => {
  const value = entries.get('Filter') ?? []
  const isArray = value[0]?.value === '[' && value.at(-1)?.value === ']'
  const names = isArray ? value.slice(1, -1) : value
  if (entries.has('Filter') && !isArray && value.length !== 1) throw new RefusedPdf(UNREADABLE)
  return names.flatMap(({ kind, value: name }) => {
    if (kind === 'word' && name === 'null') return []
    const filter = kind === 'name' && Object.hasOwn(filterNames, name) ? filterNames[name] : undefined
    if (!filter) throw new RefusedPdf(UNREADABLE)
    return [filter]
  })
}

const measure = async (stream: PdfStream, filters: Filter[], count: Count): Promise<void> => {
  // Letters, as older programs write them; then at most one that unfolds: twice, a few bytes unfold without end; then an image.
  if (!/^((Hex|85),){0,2}((Flate|LZW|RunLength),)?(image,)?$/.test(filters.map((f) => `${f},`).join(''))) {
    throw new RefusedPdf(UNREADABLE)
  }
  let data = stream.bytes.subarray(stream.from)
  for (const filter of filters) {
    if (filter === 'Hex' || filter === '85') {
      data = filter === 'Hex' ? decodeHex(data) : decodeAscii85(data)
      count(data.length)
    } else if (filter === 'Flate') await inflate(data, count)
    else if (filter === 'LZW') measureLzw(data, earlyChangeOf(stream), count)
    else if (filter === 'RunLength') measureRunLength(data, count)
  }
}

const isWithoutPredictor = (stream: PdfStream): boolean =>
  parametersOf(stream, 'Predictor').every((value) => value === '1')

const earlyChangeOf = (stream: PdfStream): 0 | 1 => {
  const [value = '1', more] = parametersOf(stream, 'EarlyChange')
  if (more || !/^[01]$/.test(value)) throw new RefusedPdf(UNREADABLE)
  return value === '0' ? 0 : 1
}

/** The values of one parameter of the filters; they must not stand in another object. */
const parametersOf = ({ entries }: PdfStream, name: string): string[] => {
  const tokens = entries.get('DecodeParms') ?? []
  const isElsewhere = tokens.some(({ kind, value }) => kind === 'word' && value === 'R')
  if (entries.has('DP') || isElsewhere) throw new RefusedPdf(UNREADABLE)
  return tokens.flatMap((token, index) =>
    token.kind === 'name' && token.value === name ? [tokens[index + 1]?.value ?? ''] : [],
  )
}
