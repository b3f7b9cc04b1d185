import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../public', path))

/** Width and height in the header of a PNG. */
const sizeOf = (png: Buffer) => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`

test('the portal can be installed: PNG icons of the sizes that the manifest says', () => {
  const { icons, ...manifest } = JSON.parse(read('manifest.webmanifest').toString()) as {
    icons: { src: string; sizes: string; type: string; purpose?: string }[]
    id: string
    start_url: string
    display: string
  }
  expect(manifest).toMatchObject({ id: '/', start_url: '/saidibi', display: 'standalone' })
  const pngs = icons.filter(({ type }) => type === 'image/png')
  expect(pngs.map(({ src }) => sizeOf(read(src)))).toEqual(pngs.map(({ sizes }) => sizes))
  expect(pngs.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ])
  expect(sizeOf(read('icons/apple-touch-icon.png'))).toBe('180x180')
})
