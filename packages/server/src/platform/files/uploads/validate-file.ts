import PQueue from 'p-queue'
import { Problem } from '../../lib/problem.ts'
import { type ImageFormat, imageFormatOf, RefusedImage } from '../images/draw-image.ts'
import { redrawUpload } from '../images/draw-upload.ts'
import { validatePdf } from './validate-pdf.ts'

export interface ValidatedFile {
  /** The bytes to store. */
  bytes: Buffer
  formato: `image/${ImageFormat}` | 'application/pdf'
}

/** A PDF check may take 512 MB, so two run at a time. Images are drawn one at a time. */
const queue = new PQueue({ concurrency: 2 })

/**
 * Decides by its bytes what an upload is. An image is redrawn; a PDF keeps its bytes, so that its
 * signatures stay valid, unless it is encrypted; it is refused when it has active content.
 * @throws Problem 415 that says why the file is refused
 */
export const validateFile = async (bytes: Buffer): Promise<ValidatedFile> => {
  if (bytes.length === 0) throw refused('O arquivo está vazio.')
  // validatePdf refuses a PDF that does not begin at the first byte.
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    const decrypted = await queue.add(() => validatePdf(bytes))
    return { bytes: decrypted ?? bytes, formato: 'application/pdf' }
  }
  if (!imageFormatOf(bytes)) throw refused(notTaken(bytes))
  return drawAttachment(bytes)
}

const drawAttachment = async (upload: Buffer): Promise<ValidatedFile> => {
  try {
    const { bytes, format } = await redrawUpload(upload, 'attachment')
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
