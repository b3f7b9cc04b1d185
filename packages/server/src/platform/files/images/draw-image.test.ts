import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { stripPngMetadata } from './bare-png.ts'
import { drawImage } from './draw-image.ts'

const drawing = {
  mostPixels: 1_000_000,
  tooLarge: 'Grande demais.',
  seconds: 20,
  draw: (image: Sharp) => image.png(),
  refusesMore: false,
  refusesDepth: true,
}
const png = () =>
  sharp({ create: { width: 30, height: 20, channels: 4, background: '#036a' } })
    .png()
    .toBuffer()

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
/** Inserts chunks directly after the header. */
const withChunks = (bytes: Buffer, chunks: Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, 33), ...chunks, bytes.subarray(33)])

test('text chunks that would take gigabytes are never inflated', async () => {
  const text = Buffer.concat([Buffer.from('k\0\0', 'latin1'), deflateSync(Buffer.alloc(7_000_000))])
  const bomb = withChunks(
    await png(),
    Array.from({ length: 200 }, () => chunk('zTXt', text)),
  )
  expect(bomb.length).toBeLessThan(2_000_000)
  const before = process.resourceUsage().maxRSS
  const { bytes, format } = await drawImage(bomb, drawing)
  // In KiB. Inflated, the chunks take 1.4 GB.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(300_000)
  expect(format).toBe('png')
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 20 })
})

test('drawImage keeps the picture of a PNG pixel by pixel and drops its text chunks', async () => {
  const plain = await png()
  const more = withChunks(plain, [
    chunk('tEXt', Buffer.from('Author\0Ana')),
    chunk('eXIf', Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1')),
    chunk('acTL', Buffer.alloc(8)),
  ])
  const bare = stripPngMetadata(more)
  expect(bare?.includes('tEXt')).toBe(false)
  expect(bare?.includes('eXIf')).toBe(true)
  const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
  expect(await pixels(bare ?? Buffer.alloc(0))).toEqual(await pixels(plain))
})

test.each([
  ['cut in a chunk', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)],
  ['without an end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 12)],
  [
    'with a chunk longer than the file',
    (bytes: Buffer) => withChunks(bytes, [Buffer.from('7fffffff49444154', 'hex')]),
  ],
])('drawImage refuses a PNG %s', async (_, spoil) => {
  await expect(drawImage(spoil(await png()), drawing)).rejects.toThrow('incompleta ou corrompida')
})

/*
 * Kind: the stored drawing has less than the sent picture, and no sentence says so. Looked for in
 * depth, frames (PNG and WebP) and logos; orientation and colours are kept by the drawing.
 */
const deepPng = () =>
  sharp(Buffer.alloc(30 * 20 * 2, 7), {
    raw: { width: 30, height: 20, channels: 1, depth: 'ushort' } as never,
  })
    .toColourspace('grey16')
    .png()
    .toBuffer()

test('drawImage refuses a picture whose depth would be lost, but not for a logo', async () => {
  const deep = await deepPng()
  expect((await sharp(deep).metadata()).depth).toBe('ushort')
  await expect(drawImage(deep, drawing)).rejects.toThrow(/^A imagem tem 16 bits por cor/)
  expect((await drawImage(deep, { ...drawing, refusesDepth: false })).format).toBe('png')
})

test('drawImage refuses a moving picture of either format, also as a logo', async () => {
  const frames = await Promise.all(
    ['#036', '#630'].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const webp = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  const counts = Buffer.alloc(8)
  counts.writeUInt32BE(2)
  const apng = withChunks(await png(), [chunk('acTL', counts)])
  for (const moving of [webp, apng])
    for (const refusesDepth of [true, false])
      await expect(drawImage(moving, { ...drawing, refusesDepth })).rejects.toThrow(/^A imagem é animada/)
})

test.each(['png', 'jpeg', 'webp'] as const)('drawImage draws a still %s of 8 bits', async (format) => {
  const still = await sharp(await png())
    .toFormat(format)
    .toBuffer()
  expect((await drawImage(still, drawing)).bytes.length).toBeGreaterThan(0)
})
