import { z } from 'zod'

/** Pixels of a logo's side: a small PNG can inflate to gigabytes. */
const LONGEST_SIDE = 2000
/** Bytes. The portal's largest logo, a photo of 480 × 160 pixels, takes 310,000. */
const LARGEST_LOGO = 400_000
const LONGEST_NAME = 80

const SIGNATURE = '\x89PNG\r\n\x1a\n'
/** Bytes of a PNG up to its width and height: 32 characters of base64. */
const HEAD_BYTES = 24

const isSmallPng = (base64: string) => {
  const head = atob(base64.slice(0, (HEAD_BYTES / 3) * 4))
  if (head.length < HEAD_BYTES || !head.startsWith(SIGNATURE)) return false
  const { buffer } = Uint8Array.from(head, (byte) => byte.charCodeAt(0))
  const sides = new DataView(buffer, 16, 8)
  return [sides.getUint32(0), sides.getUint32(4)].every((side) => side > 0 && side <= LONGEST_SIDE)
}

/** What an exported sheet shows of a company, each part by itself. */
export const SheetBrand = z.object({
  name: z.string().trim().min(1).max(LONGEST_NAME).nullish(),
  /** The line below the header. */
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'a colour as #rrggbb')
    .nullish(),
  /** A PNG in base64. Never an address: the page of the export loads nothing from a network. */
  logo: z
    .base64({ abort: true })
    .max(Math.ceil(LARGEST_LOGO / 3) * 4, `at most ${LARGEST_LOGO} bytes`)
    .refine(isSmallPng, `a PNG of at most ${LONGEST_SIDE} × ${LONGEST_SIDE} pixels`)
    .nullish(),
})
export type SheetBrand = z.infer<typeof SheetBrand>
