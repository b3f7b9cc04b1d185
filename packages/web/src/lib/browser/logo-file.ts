/** Longest side of a report's logo in pixels; the server re-encodes it at half of that. */
const SIDE = 256
/** Longest side of the company's logo, which may be wide. */
export const BRAND_SIDE = 960
/** Maximum size of the uploaded image in bytes, from the contract. */
const BYTES = 180_000
/** Maximum size of the chosen file in bytes: decoding a larger one could stall a phone. */
const FILE_BYTES = 20_000_000

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

/** The chosen file cannot be used; the message is shown to the user. */
export class LogoFileError extends Error {
  override readonly name = 'LogoFileError'
}

/**
 * Scales an image down to the size that the server accepts.
 * @param side its longest side in pixels
 * @throws LogoFileError when the file cannot be used
 */
export const scaleLogo = async (file: File, side = SIDE): Promise<Blob> => {
  if (!LOGO_TYPES.some((type) => type === file.type))
    throw new LogoFileError('Envie uma imagem PNG, JPEG ou WebP.')
  if (file.size > FILE_BYTES) throw new LogoFileError('A imagem pode ter no máximo 20 MB.')
  const picture = await createImageBitmap(file).catch((cause: unknown) => {
    throw new LogoFileError('A imagem está incompleta ou corrompida. Salve-a de novo e envie.', { cause })
  })
  const { width, height } = fitted(picture, side)
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new LogoFileError('O navegador não conseguiu preparar a imagem.')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  picture.close()
  // PNG keeps flat colours and transparency but is too large for photos. Browsers that cannot
  // encode WebP return PNG instead.
  for (const [type, quality] of [['image/png'], ['image/webp', 0.9], ['image/jpeg', 0.85]] as const) {
    const drawn = await drawnAs(canvas, type, quality)
    if (drawn && drawn.size <= BYTES) return drawn
  }
  throw new LogoFileError('A imagem continua grande demais mesmo reduzida. Envie outra.')
}

/** Returns the content in base64, as the API expects it. */
export const base64Of = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(content)
  })

/** Returns the size scaled down to `side` on the longer side, never up. */
export const fitted = ({ width, height }: { width: number; height: number }, side: number) => {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const drawnAs = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, quality))
