import { createHash } from 'node:crypto'
import { Problem } from '../../problem.ts'

/** Pixels a side of what is kept. */
const SIDE = 128
/** A small file can unfold into gigabytes: no more than this is ever decoded. */
const MOST_PIXELS = 4096 * 4096
const SECONDS = 5

/**
 * Draws an uploaded logo anew: WebP, 128 × 128, on a transparent ground, with no byte of the upload's metadata.
 * @param upload what the person sent, judged by its bytes alone
 * @throws Problem 422 at `imagem`
 */
export const drawLogo = async (upload: Buffer): Promise<{ imagem: Buffer; marca: string }> => {
  if (upload.length === 0) throw refusal('O arquivo está vazio.')
  const format = formatOf(upload)
  if (!format) throw refusal('Envie uma imagem PNG, JPEG ou WebP.')
  const sharp = await loadSharp()
  // The header alone, so without a limit: what is too large gets a sentence of its own.
  const { width, height, ...header } = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(refuseBroken)
  if (header.format !== format) throw refusal(BROKEN)
  if (width * height > MOST_PIXELS) throw refusal('A imagem pode ter no máximo 4096 × 4096 pixels.')
  const imagem = await sharp(upload, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .webp({ quality: 90 })
    .timeout({ seconds: SECONDS })
    .toBuffer()
    .catch(refuseBroken)
  if (!endsWhereItShould[format](upload)) {
    throw refusal('O arquivo traz outros dados depois da imagem. Salve a imagem de novo e envie.')
  }
  return { imagem, marca: createHash('sha256').update(imagem).digest('hex').slice(0, 16) }
}

type Format = 'png' | 'jpeg' | 'webp'

const BROKEN = 'A imagem está incompleta ou corrompida. Salve-a de novo e envie.'

const refusal = (message: string, cause?: unknown): Problem =>
  new Problem('campos_invalidos', { campos: { imagem: message }, cause })

const refuseBroken = (cause: unknown): never => {
  throw refusal(BROKEN, cause)
}

const formatOf = (bytes: Buffer): Format | undefined => {
  const start = bytes.toString('latin1', 0, 16)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  return start.startsWith('RIFF') && start.startsWith('WEBP', 8) ? 'webp' : undefined
}

/** A file that is an image and something else too (HTML, ZIP) carries the rest behind the image's end. */
const endsWhereItShould: Record<Format, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.toString('latin1', bytes.length - 8, bytes.length - 4) === 'IEND',
  jpeg: (bytes) => bytes.readUInt16BE(bytes.length - 2) === 0xffd9,
  webp: (bytes) => bytes.readUInt32LE(4) + 8 === bytes.length,
}

type Sharp = typeof import('sharp')['default']
let loading: Promise<Sharp> | undefined

/** Loaded with the first logo: the server's start does not wait for it. These settings hold for the whole process. */
const loadSharp = (): Promise<Sharp> => {
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
