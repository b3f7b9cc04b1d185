import { createTurns } from '../auth/turns.ts'
import { type ImageFormat, imageFormatOf, RefusedImage } from '../images/draw-image.ts'
import { drawUpload } from '../images/draw-upload.ts'
import { Problem } from '../problem.ts'
import { judgePdf } from './judge-pdf.ts'

export interface JudgedFile {
  /** As they are kept. */
  bytes: Buffer
  formato: `image/${ImageFormat}` | 'application/pdf'
}

/** Each PDF may take 512 MB: so many at a time. Images are drawn one at a time. */
const turns = createTurns(2)

/**
 * What an upload is, by its bytes alone. An image is drawn anew; a PDF stays as it is, so that a signature in it stays good, and
 * is refused where it carries anything that acts.
 * @throws Problem 415 with a sentence that says why it is not taken
 */
export const judgeFile = async (bytes: Buffer): Promise<JudgedFile> => {
  if (bytes.length === 0) throw refused('O arquivo está vazio.')
  // Where it does not begin at the first byte, judgePdf says so.
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    await turns.take('pdf', () => judgePdf(bytes))
    return { bytes, formato: 'application/pdf' }
  }
  if (!imageFormatOf(bytes)) throw refused(notTaken(bytes))
  return drawAttachment(bytes)
}

const drawAttachment = async (upload: Buffer): Promise<JudgedFile> => {
  try {
    const { bytes, format } = await drawUpload(upload, 'attachment')
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
