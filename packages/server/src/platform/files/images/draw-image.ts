import type { Sharp } from 'sharp'
import { isAnimatedPng, stripPngMetadata } from './bare-png.ts'
import { isLosslessWebp } from './webp-kind.ts'

export type ImageFormat = 'png' | 'jpeg' | 'webp'

/** How an upload is encoded. */
interface Encoding {
  format: ImageFormat
  /** Of a JPEG, such as '4:2:0'. */
  chromaSubsampling: string | undefined
  isLosslessWebp: boolean
}

export interface Drawing {
  /** Pixels that are decoded at most: a small file can inflate to gigabytes. */
  mostPixels: number
  /** The message to the user beyond that. */
  tooLarge: string
  seconds: number
  draw: (image: Sharp, upload: Encoding) => Sharp
  /** Whether bytes after the image's end are refused; they are never kept. */
  refusesMore: boolean
  /** Whether a picture of more than 8 bits a colour is refused: the drawing has 8. */
  refusesDepth: boolean
}

/** An image is refused; the message is one Portuguese sentence. */
export class RefusedImage extends Error {
  override readonly name = 'RefusedImage'
}

/** Returns the format that the first bytes indicate. */
export const imageFormatOf = (bytes: Buffer): ImageFormat | undefined => {
  const start = bytes.toString('latin1', 0, 16)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  return start.startsWith('RIFF') && start.startsWith('WEBP', 8) ? 'webp' : undefined
}

/**
 * Redraws an uploaded image upright, in screen colours and without any metadata of the upload.
 * @param upload bytes as sent, of unknown format
 * @throws RefusedImage
 */
export const drawImage = async (
  upload: Buffer,
  { mostPixels, tooLarge, seconds, draw, refusesMore, refusesDepth }: Drawing,
): Promise<{ bytes: Buffer; format: ImageFormat }> => {
  if (upload.length === 0) throw new RefusedImage('O arquivo está vazio.')
  const format = imageFormatOf(upload)
  if (!format) throw new RefusedImage('Envie uma imagem PNG, JPEG ou WebP.')
  const picture = format === 'png' ? stripPngMetadata(upload) : upload
  if (!picture) throw new RefusedImage(BROKEN)
  const sharp = await loadSharp()
  // Reads only the header, so no pixel limit applies: a larger image gets its own message.
  const { width, height, ...header } = await sharp(picture, { limitInputPixels: false })
    .metadata()
    .catch(refuseBroken)
  if (header.format !== format) throw new RefusedImage(BROKEN)
  if (width * height > mostPixels) throw new RefusedImage(tooLarge)
  if ((header.pages ?? 1) > 1 || (format === 'png' && isAnimatedPng(upload))) throw new RefusedImage(MOVING)
  if (refusesDepth && header.depth !== 'uchar') throw new RefusedImage(DEEP)
  const upright = sharp(picture, { limitInputPixels: mostPixels, failOn: 'error' }).autoOrient()
  const { chromaSubsampling } = header
  const isLossless = format === 'webp' && isLosslessWebp(upload)
  const drawn = await draw(upright, { format, chromaSubsampling, isLosslessWebp: isLossless })
    .timeout({ seconds })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseBroken)
  if (refusesMore && !endsWhereItShould[format](upload)) {
    throw new RefusedImage('O arquivo traz outros dados depois da imagem. Salve a imagem de novo e envie.')
  }
  return { bytes: drawn.data, format: drawn.info.format as ImageFormat }
}

const MOVING =
  'A imagem é animada, e só o primeiro quadro ficaria. Envie uma imagem parada, ou cada quadro como uma imagem.'
const DEEP =
  'A imagem tem 16 bits por cor, e o portal guarda 8: detalhes se perderiam. Envie-a em 8 bits por cor, como PNG ou JPEG, depois de ajustar o brilho e o contraste.'
export const TOO_HEAVY =
  'A imagem exige tempo ou memória demais para ser conferida. Reduza a largura e a altura dela e envie; se não for PNG, salvá-la como PNG pode bastar.'
export const BROKEN = 'A imagem está incompleta ou corrompida. Salve-a de novo e envie.'

const refuseBroken = (cause: unknown): never => {
  throw new RefusedImage(isTimeout(cause) ? TOO_HEAVY : BROKEN, { cause })
}

/** libvips says so after `timeout`, with how much it has drawn. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.startsWith('timeout')

/** A file that is also of another type (HTML, ZIP) has those bytes after the image's end. */
const endsWhereItShould: Record<ImageFormat, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.toString('latin1', bytes.length - 8, bytes.length - 4) === 'IEND',
  jpeg: (bytes) => bytes.readUInt16BE(bytes.length - 2) === 0xffd9,
  webp: (bytes) => bytes.readUInt32LE(4) + 8 === bytes.length,
}

type SharpFactory = typeof import('sharp')['default']
let loading: Promise<SharpFactory> | undefined

/** Loads sharp once. Its settings apply to the whole process. */
export const loadSharp = (): Promise<SharpFactory> => {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    // No other decoder (SVG, PDF, TIFF …) ever receives bytes.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
    return sharp
  })
  return loading
}
