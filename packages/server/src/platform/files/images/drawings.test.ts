import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawImage } from './draw-image.ts'
import { drawings } from './drawings.ts'
import { isLosslessWebp } from './webp-kind.ts'

/* Kind: a clinical picture loses detail, and no sentence says so. */

const SIDE = 96

/** Returns noise, which is the hardest picture for a lossy format; the same one in each run. */
const noise = (channels: 3 | 4) => {
  let state = 42
  const pixels = Buffer.alloc(SIDE * SIDE * channels)
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    pixels[at] = state >>> 24
  }
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels } })
}
const pixelsOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
const draw = async (upload: Buffer) => (await drawImage(upload, drawings.attachment)).bytes
/** Mean difference of a colour of a pixel, of 255. */
const lossOf = async (upload: Buffer): Promise<number> => {
  const [before, after] = await Promise.all([pixelsOf(upload), pixelsOf(await draw(upload))])
  expect(after.length).toBe(before.length)
  return before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] ?? 0)), 0) / before.length
}

describe('the drawing of an attachment', () => {
  test.each([
    ['PNG', () => noise(4).png()],
    ['lossless WebP', () => noise(3).webp({ lossless: true })],
    ['lossless WebP with transparent pixels', () => noise(4).webp({ lossless: true, exact: true })],
    [
      'lossless WebP with metadata',
      () =>
        noise(4)
          .webp({ lossless: true })
          .withExif({ IFD0: { Artist: 'Ana' } }),
    ],
  ])('the drawing of an attachment keeps each pixel of a %s', async (_, picture) => {
    const upload = await picture().toBuffer()
    const drawn = await draw(upload)
    expect((await pixelsOf(drawn)).equals(await pixelsOf(upload))).toBe(true)
    expect(drawn.includes('Ana')).toBe(false)
  })

  // Measured for noise, with quality 98: 1.32, 0.55 and 5.88, where 5.81 is what quality 100 loses, as
  // 4:2:0 has too few samples for colour noise. With quality 92 and 4:2:0: 46.3, 2.4 and 6.8.
  test.each([
    [
      'a JPEG with all colour samples',
      () => noise(3).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }),
      1.5,
    ],
    ['a grey JPEG', () => noise(3).greyscale().jpeg({ quality: 100 }), 0.7],
    [
      'a JPEG with fewer colour samples',
      () => noise(3).jpeg({ quality: 100, chromaSubsampling: '4:2:0' }),
      6.2,
    ],
  ] as const)('the drawing of an attachment loses hardly anything of %s', async (_, picture, most) => {
    expect(await lossOf(await picture().toBuffer())).toBeLessThan(most)
  })

  // Measured: 1.69 and 0.16.
  test.each([
    ['4:2:0', 1.9],
    ['4:4:4', 0.3],
  ])(
    'the drawing of an attachment keeps the chroma subsampling %s of a smooth JPEG, and loses less than %d of 255',
    async (chroma, most) => {
      const smooth = await noise(3).resize(900, 900, { kernel: 'cubic' }).png().toBuffer()
      const upload = await sharp(smooth).jpeg({ quality: 80, chromaSubsampling: chroma }).toBuffer()
      expect((await sharp(await draw(upload)).metadata()).chromaSubsampling).toBe(chroma)
      expect(await lossOf(upload)).toBeLessThan(most)
    },
  )
})

test('a WebP is lossless only when its picture is', async () => {
  const options = [{ lossless: true }, { nearLossless: true }, { quality: 90 }]
  const kinds = options.flatMap((option) => [
    noise(3).webp(option),
    noise(4).webp(option).withIccProfile('p3'),
  ])
  const files = await Promise.all(kinds.map((picture) => picture.toBuffer()))
  expect(files.map(isLosslessWebp)).toEqual([true, true, true, true, false, false])
  expect(isLosslessWebp(Buffer.from('RIFF\x20\0\0\0WEBPVP8X\xff\xff\xff\xff', 'latin1'))).toBe(false)
})
