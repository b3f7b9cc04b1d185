import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { chromium, everything, exportService, of, order } from '../../test/export-service.ts'
import { picturesOf, sizeOf, textsOf } from '../../test/exported-files.ts'
import { REPORT } from '../../test/fixture.ts'
import { pngOf } from '../../test/png.ts'
import { SheetBrand } from '../wire/sheet-brand.ts'

/* The name, the logo and the colour of a company on the sheets of an export. */

const service = exportService()
const name = 'Operadora Beneficente do Planalto Centro'

describe('the brand of an export', () => {
  const problemOf = async (brand: unknown) => {
    const answer = await service.ask({ ...order('PDF', everything), '@biManager.brand': brand })
    return [answer.statusCode, answer.json().error?.message]
  }
  const ofSize = (width: number, height: number) => {
    const png = Buffer.from(pngOf(1, 1), 'base64')
    png.writeUInt32BE(width, 16)
    png.writeUInt32BE(height, 20)
    return png.toString('base64')
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')

  test.each<[string, object, RegExp]>([
    ['an empty name', { name: ' ' }, /brand\.name: /],
    ['a name of 81 characters', { name: 'x'.repeat(81) }, /brand\.name: /],
    ['a colour by its name', { color: 'red' }, /brand\.color: a colour as #rrggbb/],
    ['a colour with more CSS', { color: '#7a1f5c;--x:url(//x)' }, /brand\.color: /],
    ['an address for the logo', { logo: 'https://exemplo.org/logo.png' }, /brand\.logo: /],
    ['an SVG', { logo: svg.toString('base64') }, /brand\.logo: a PNG of at most 2000 × 2000 pixels/],
    ['the start of a PNG', { logo: pngOf(1, 1).slice(0, 16) }, /brand\.logo: a PNG/],
    ['a PNG without width', { logo: ofSize(0, 10) }, /brand\.logo: a PNG/],
    ['a PNG that would inflate to gigabytes', { logo: ofSize(65_000, 65_000) }, /brand\.logo: a PNG/],
    ['more than 400,000 bytes', { logo: pngOf(1, 1) + 'AAAA'.repeat(133_334) }, /brand\.logo: /],
    ['a list', ['x'], /brand: /],
  ])('the brand of an export is refused with %s', async (_what, brand, message) => {
    expect(await problemOf(brand)).toEqual([400, expect.stringMatching(message)])
  })

  test("the brand of an export takes a logo of the portal's largest size, and each part by itself", () => {
    const photo = pngOf(1, 1) + 'AAAA'.repeat(110_000)
    for (const brand of [{ name, color: '#7A1F5C', logo: photo }, { logo: pngOf(480, 160) }, { name: null }])
      expect(SheetBrand.safeParse(brand).success).toBe(true)
  })
})

describe.skipIf(!chromium)('a branded file', { timeout: 120_000 }, () => {
  const exported = async (brand: object | undefined, format = 'PDF') => {
    const asked = await service.ask({ ...order(format, everything), '@biManager.brand': brand })
    expect(asked.statusCode, asked.body).toBe(202)
    const path = `${of(REPORT)}/exports/${asked.json().id}`
    const status = async () => (await service.rest('GET', path)).json().status
    await expect.poll(status, { timeout: 60_000 }).toBe('Succeeded')
    return new Uint8Array((await service.inject(`/v1.0/myorg${path}/file`)).rawPayload)
  }

  test('a branded file has the name and the logo on each page, and its other text as without a brand', async () => {
    const [plain, branded] = [
      await exported(undefined),
      await exported({ name, color: '#7a1f5c', logo: pngOf(480, 160) }),
    ]
    const texts = await textsOf(branded)
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text.split(name)).toHaveLength(2)
    const words = (text: string) =>
      text
        .replace(name, '')
        .replace(/\d\d:\d\d/, '')
        .split(/\s+/)
        .join(' ')
    expect(texts.map(words)).toEqual((await textsOf(plain)).map(words))
    // The other picture is the chart of the first page.
    const logos = (await picturesOf(branded)).map((page) => page.filter((size) => size === '480 × 160'))
    expect(logos).toEqual([['480 × 160'], ['480 × 160']])
    expect((await picturesOf(plain)).flat()).not.toContain('480 × 160')
  })

  test('a branded file shows markup in a name as text, and leaves out a logo that cannot be decoded', async () => {
    const name = '<img src="//x" onerror="document.body.remove()"> & Cia'
    const damaged = Buffer.from(pngOf(480, 160), 'base64').fill(0xff, 24, 60)
    const bytes = await exported({ name, logo: damaged.toString('base64') })
    expect((await textsOf(bytes))[1]).toContain(name)
    expect((await picturesOf(bytes)).flat()).not.toContain('480 × 160')
  })

  test('a branded file as pictures keeps their size', async () => {
    const pictures = unzipSync(await exported({ name, logo: pngOf(40, 160) }, 'PNG'))
    for (const picture of Object.values(pictures))
      expect(sizeOf(picture)).toEqual({ width: 2560, height: 1600 })
  })
})
