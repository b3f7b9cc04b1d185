import type { Drawing } from './draw-image.ts'

/** Pixels a side of a logo. */
const SIDE = 128

/** What uploads become. Only the name of a drawing can be sent to the process that draws it. */
export const drawings = {
  logo: {
    mostPixels: 4096 * 4096,
    tooLarge: 'A imagem pode ter no máximo 4096 × 4096 pixels.',
    seconds: 5,
    draw: (image) =>
      image
        .resize(SIDE, SIDE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
        .webp({ quality: 90 }),
    refusesMore: true,
  },
  attachment: {
    // A camera of 48 megapixels fits; its memory, decoded, is some 200 MB.
    mostPixels: 50_000_000,
    tooLarge: 'A imagem pode ter no máximo 50 milhões de pixels. Reduza-a e envie.',
    seconds: 20,
    draw: (image, format) => image.toFormat(format, format === 'png' ? {} : { quality: 92 }),
    // Telephones put a film or a second picture there.
    refusesMore: false,
  },
} satisfies Record<string, Drawing>

export type DrawingName = keyof typeof drawings
