import type { Drawing } from './draw-image.ts'

/** Width and height of a logo in pixels. */
const SIDE = 128

/** Most pixels of a company's logo: eight times the height of a line of text. */
const BRAND_WIDTH = 480
const BRAND_HEIGHT = 160

/** Of a JPEG and a lossy WebP. The file is up to twice as large as that of a camera. */
const LOSSY_QUALITY = 98

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
    // A clinical picture: a lossless one keeps each pixel, and a lossy one loses nothing that is seen.
    draw: (image, { format, chromaSubsampling, isLosslessWebp }) => {
      if (format === 'png') return image.png()
      if (format === 'jpeg')
        return image.jpeg({
          quality: LOSSY_QUALITY,
          chromaSubsampling: chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4',
        })
      // A higher effort only makes the file smaller, and takes minutes for a large picture.
      return image.webp(
        isLosslessWebp ? { lossless: true, exact: true, effort: 0 } : { quality: LOSSY_QUALITY },
      )
    },
    // Phones append a video or a second picture.
    refusesMore: false,
    refusesDepth: true,
  },
} satisfies Record<string, Drawing>

export type DrawingName = keyof typeof drawings
