import { createHash } from 'node:crypto'
import { RefusedImage } from '../../images/draw-image.ts'
import { redrawUpload } from '../../images/draw-upload.ts'
import { Problem } from '../../lib/problem.ts'

/**
 * Re-encodes an uploaded logo as WebP, 128 × 128 pixels, on a transparent background.
 * @throws Problem 422 at `imagem`
 */
export const encodeLogo = async (upload: Buffer): Promise<{ imagem: Buffer; marca: string }> => {
  try {
    const { bytes: imagem } = await redrawUpload(upload, 'logo')
    return { imagem, marca: createHash('sha256').update(imagem).digest('hex').slice(0, 16) }
  } catch (cause) {
    if (!(cause instanceof RefusedImage)) throw cause
    throw new Problem('campos_invalidos', { campos: { imagem: cause.message }, cause })
  }
}
