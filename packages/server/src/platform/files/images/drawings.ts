import type { Drawing } from './draw-image.ts'

/** Width and height of a logo in pixels. */
const SIDE = 128

/** Most pixels of a company's logo: eight times the height of a line of text. */
const BRAND_WIDTH = 480
const BRAND_HEIGHT = 160

/** The drawings of uploads. Only a drawing's name can be sent to the image process. */
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
    // Invisible at the size of a logo.
    refusesDepth: false,
  },
  /** A company's logo, as sharp in print as on a screen; e-mails and PDFs cannot show WebP. */
  brand: {
    mostPixels: 4096 * 4096,
    tooLarge: 'A imagem pode ter no máximo 4096 × 4096 pixels.',
    seconds: 5,
    draw: (image) =>
      image
        .resize(BRAND_WIDTH, BRAND_HEIGHT, { fit: 'inside', withoutEnlargement: true })
        .png({ compressionLevel: 9 }),
    refusesMore: true,
    // Invisible at the size of a logo.
    refusesDepth: false,
  },
  attachment: {
    // Fits a camera of 48 megapixels; decoded, it takes about 200 MB.
    mostPixels: 50_000_000,
    tooLarge: 'A imagem pode ter no máximo 50 milhões de pixels. Reduza-a e envie.',
    seconds: 20,
    draw: (image, format) => image.toFormat(format, format === 'png' ? {} : { quality: 92 }),
    // Phones append a video or a second picture.
    refusesMore: false,
    refusesDepth: true,
  },
} satisfies Record<string, Drawing>

export type DrawingName = keyof typeof drawings
