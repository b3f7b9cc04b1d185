import { createHash } from 'node:crypto'
import { Problem } from '../../lib/problem.ts'
import { RefusedImage } from './draw-image.ts'
import { redrawUpload } from './draw-upload.ts'

/**
 * Re-encodes an uploaded logo on a transparent background: `logo`, of a report, as WebP of
 * 128 × 128 pixels; `brand`, of the company, as PNG in the proportions of the upload.
 * @param base64 the upload
 * @returns the image and its content hash
 * @throws Problem 422 at `imagem`
 */
export const encodeLogo = async (
  base64: string,
  drawing: 'logo' | 'brand',
): Promise<{ imagem: Buffer; marca: string }> => {
  try {
    const { bytes: imagem } = await redrawUpload(Buffer.from(base64, 'base64'), drawing)
    return { imagem, marca: createHash('sha256').update(imagem).digest('hex').slice(0, 16) }
  } catch (cause) {
    if (!(cause instanceof RefusedImage)) throw cause
    throw new Problem('campos_invalidos', { campos: { imagem: cause.message }, cause })
  }
}
