import type { Sharp } from 'sharp'
import { barePng } from './bare-png.ts'

export type ImageFormat = 'png' | 'jpeg' | 'webp'

export interface Drawing {
  /** A small file can unfold into gigabytes: no more pixels than these are ever decoded. */
  mostPixels: number
  /** What a person is told of more. */
  tooLarge: string
  seconds: number
  draw: (image: Sharp, format: ImageFormat) => Sharp
  /** Whether bytes behind the image's end are refused; they are never kept. */
  refusesMore: boolean
}

/** Why an image is not taken: one Portuguese sentence. */
export class RefusedImage extends Error {
  override readonly name = 'RefusedImage'
}

/** The one of the formats that the first bytes claim. */
export const imageFormatOf = (bytes: Buffer): ImageFormat | undefined => {
  const start = bytes.toString('latin1', 0, 16)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  return start.startsWith('RIFF') && start.startsWith('WEBP', 8) ? 'webp' : undefined
}

/**
 * Draws an uploaded image anew, upright, in the colours of the screen, and with no byte of the upload's metadata.
 * @param upload what the person sent, judged by its bytes alone
 * @throws RefusedImage
 */
export const drawImage = async (
  upload: Buffer,
  { mostPixels, tooLarge, seconds, draw, refusesMore }: Drawing,
): Promise<{ bytes: Buffer; format: ImageFormat }> => {
  if (upload.length === 0) throw new RefusedImage('O arquivo está vazio.')
  const format = imageFormatOf(upload)
  if (!format) throw new RefusedImage('Envie uma imagem PNG, JPEG ou WebP.')
  const picture = format === 'png' ? barePng(upload) : upload
  if (!picture) throw new RefusedImage(BROKEN)
  const sharp = await loadSharp()
  // The header alone, so without a limit: what is too large gets a sentence of its own.
  const { width, height, ...header } = await sharp(picture, { limitInputPixels: false })
    .metadata()
    .catch(refuseBroken)
  if (header.format !== format) throw new RefusedImage(BROKEN)
  if (width * height > mostPixels) throw new RefusedImage(tooLarge)
  const upright = sharp(picture, { limitInputPixels: mostPixels, failOn: 'error' }).autoOrient()
  const drawn = await draw(upright, format)
    .timeout({ seconds })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseBroken)
  if (refusesMore && !endsWhereItShould[format](upload)) {
    throw new RefusedImage('O arquivo traz outros dados depois da imagem. Salve a imagem de novo e envie.')
  }
  return { bytes: drawn.data, format: drawn.info.format as ImageFormat }
}

export const BROKEN = 'A imagem está incompleta ou corrompida. Salve-a de novo e envie.'

const refuseBroken = (cause: unknown): never => {
  throw new RefusedImage(BROKEN, { cause })
}

/** A file that is an image and something else too (HTML, ZIP) carries the rest behind the image's end. */
const endsWhereItShould: Record<ImageFormat, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.toString('latin1', bytes.length - 8, bytes.length - 4) === 'IEND',
  jpeg: (bytes) => bytes.readUInt16BE(bytes.length - 2) === 0xffd9,
  webp: (bytes) => bytes.readUInt32LE(4) + 8 === bytes.length,
}

type SharpFactory = typeof import('sharp')['default']
let loading: Promise<SharpFactory> | undefined

/** Loads sharp once. These settings hold for the whole process. */
export const loadSharp = (): Promise<SharpFactory> => {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    // No other decoder (SVG, PDF, TIFF …) is ever given bytes, whatever they pretend to be.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
    return sharp
  })
  return loading
}
