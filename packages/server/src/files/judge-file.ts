import { createTurns } from '../auth/turns.ts'
import { drawImage, type ImageFormat, imageFormatOf, RefusedImage } from '../images/draw-image.ts'
import { Problem } from '../problem.ts'
import { judgePdf } from './judge-pdf.ts'

export interface JudgedFile {
  /** As they are kept. */
  bytes: Buffer
  formato: `image/${ImageFormat}` | 'application/pdf'
}

/** Each image holds a few hundred megabytes while it lasts, and each PDF may take 512 MB: so many at a time. */
const turns = { image: createTurns(1), pdf: createTurns(2) }

/**
 * What an upload is, by its bytes alone. An image is drawn anew; a PDF stays as it is, so that a signature in it stays good, and
 * is refused where it carries anything that acts.
 * @throws Problem 415 with a sentence that says why it is not taken
 */
export const judgeFile = async (bytes: Buffer): Promise<JudgedFile> => {
  if (bytes.length === 0) throw refused('O arquivo está vazio.')
  // Where it does not begin at the first byte, judgePdf says so.
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    await turns.pdf.take('file', () => judgePdf(bytes))
    return { bytes, formato: 'application/pdf' }
  }
  if (!imageFormatOf(bytes)) throw refused(notTaken(bytes))
  return turns.image.take('file', () => drawAttachment(bytes))
}

/** A camera of 48 megapixels fits; its memory, decoded, is some 200 MB. */
const MOST_PIXELS = 50_000_000

const drawAttachment = async (upload: Buffer): Promise<JudgedFile> => {
  try {
    const { bytes, format } = await drawImage(upload, {
      mostPixels: MOST_PIXELS,
      tooLarge: 'A imagem pode ter no máximo 50 milhões de pixels. Reduza-a e envie.',
      seconds: 20,
      draw: (image, format) => image.toFormat(format, format === 'png' ? {} : { quality: 92 }),
      // Telephones put a film or a second picture there.
      refusesMore: false,
    })
    return { bytes, formato: `image/${format}` }
  } catch (cause) {
    if (!(cause instanceof RefusedImage)) throw cause
    throw refused(cause.message, cause)
  }
}

const refused = (detail: string, cause?: unknown): Problem =>
  new Problem('arquivo_recusado', { detail, cause })

const SEND = 'Envie uma imagem PNG, JPEG ou WebP, ou um PDF.'

const notTaken = (bytes: Buffer): string => {
  const start = bytes.toString('latin1', 0, 2048).toLowerCase()
  if (start.includes('<svg')) return `Imagens SVG não são aceitas. ${SEND}`
  if (/<!doctype html|<html|<script|<body/.test(start)) return `Páginas HTML não são aceitas. ${SEND}`
  return `Este tipo de arquivo não é aceito. ${SEND}`
}
