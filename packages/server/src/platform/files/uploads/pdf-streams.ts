import { Name, type PdfStream } from './pdfjs-core.ts'
import { OTHER_FILES, RefusedPdf, TOO_MUCH, UNREADABLE } from './refused-pdf.ts'

const MEGABYTE = 1024 * 1024
/** Decoded size of an object stream: no document has more. */
const MAX_OBJECTS = 64 * MEGABYTE
/** Decoded size of any other stream; a page scanned in colour at 600 dpi is about 100 MB. */
const MAX_STREAM = 128 * MEGABYTE
/** Decoded size of all streams together. */
const MAX_ALL = 1024 * MEGABYTE
/** Pixels of one image. */
const MAX_PIXELS = 150_000_000

/** The first three move the data to another file; the last takes the drawing from one. */
const keysOfOtherFiles = ['F', 'FFilter', 'FDecodeParms', 'Ref']

// Some readers ask only for these two keys, and not for the type.
export const isObjectStream = ({ dict }: PdfStream): boolean => dict.has('First') && dict.has('N')

/** Returns a function that refuses the streams of one document that are too large once decoded. */
export const createStreamMeter = () => {
  let all = 0
  return (stream: PdfStream): void => {
    const { dict } = stream
    if (keysOfOtherFiles.some((key) => dict.has(key))) throw new RefusedPdf(OTHER_FILES)
    const side = (long: string, short: string) => Number(dict.get(long) ?? dict.get(short) ?? 0)
    if (side('Width', 'W') * side('Height', 'H') > MAX_PIXELS) throw new RefusedPdf(TOO_MUCH)
    const filters = [dict.getArray('Filter')].flat().slice(0, -1)
    // Unpacking pixels: no document does that.
    if (filters.some(isImageFilter)) throw new RefusedPdf(UNREADABLE)
    const atMost = isObjectStream(stream) ? MAX_OBJECTS : MAX_STREAM
    let data = stream
    // The pixels are limited above.
    while (data.isImageStream && data.stream) data = data.stream
    for (let length = 1, sum = 0; length > 0; sum += length, all += length) {
      // pdf.js keeps what it has decoded, and would now double its memory.
      if (sum >= atMost || all >= MAX_ALL) throw new RefusedPdf(TOO_MUCH)
      length = decodeMore(data)
    }
  }
}

const isImageFilter = (filter: unknown): boolean =>
  filter instanceof Name && /^(DCT|CCF|(DCT|CCITTFax|JPX|JBIG2)Decode)$/.test(filter.name)

const decodeMore = (data: PdfStream): number => {
  try {
    return data.getBytes(MEGABYTE).length
  } catch {
    // Readers show a damaged stream up to its damage.
    return 0
  }
}
