import { createHash } from 'node:crypto'
import { drawImage, RefusedImage } from '../../images/draw-image.ts'
import { Problem } from '../../problem.ts'

/** Pixels a side of what is kept. */
const SIDE = 128

/**
 * Draws an uploaded logo anew: WebP, 128 × 128, on a transparent ground.
 * @throws Problem 422 at `imagem`
 */
export const drawLogo = async (upload: Buffer): Promise<{ imagem: Buffer; marca: string }> => {
  try {
    const { bytes: imagem } = await drawImage(upload, {
      mostPixels: 4096 * 4096,
      tooLarge: 'A imagem pode ter no máximo 4096 × 4096 pixels.',
      seconds: 5,
      draw: (image) =>
        image
          .resize(SIDE, SIDE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
          .webp({ quality: 90 }),
      refusesMore: true,
    })
    return { imagem, marca: createHash('sha256').update(imagem).digest('hex').slice(0, 16) }
  } catch (cause) {
    if (!(cause instanceof RefusedImage)) throw cause
    throw new Problem('campos_invalidos', { campos: { imagem: cause.message }, cause })
  }
}
