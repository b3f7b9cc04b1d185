import { readFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { type Brand, plainBrand } from './brand.ts'
import { brandedManifest, brandedPage, keepLast } from './page-brand.ts'

const page = await readFile(new URL('../../../../web/index.html', import.meta.url), 'utf8')
const manifest = await readFile(
  new URL('../../../../web/public/manifest.webmanifest', import.meta.url),
  'utf8',
)
const size = { width: 480, height: 120 }
const logo = '0123456789abcdef'

describe('brandedPage', () => {
  test('brandedPage leaves the page as it is without settings', () => {
    expect(brandedPage(page, plainBrand, 'n')).toBe(page)
  })

  test('brandedPage writes the name as text, whatever it contains', () => {
    const nome = '<script>"$&\'</script>'
    const html = brandedPage(page, { ...plainBrand, nome }, 'n')
    const escaped = '&lt;script&gt;&quot;$&amp;&#39;&lt;/script&gt;'
    expect(html).toContain(`data-nome="${escaped}"`)
    expect(html).toContain(`<title>${escaped}</title>`)
    expect(html).toContain(`<span>${escaped}</span>`)
    expect(html).toContain(`name="description" content="${escaped}: portal de relatórios gerenciais."`)
    expect(html).not.toContain(nome)
    expect(html.match(/<script/g)).toEqual(page.match(/<script/g))
  })

  test('brandedPage writes the shades of the colour in one style element with the nonce', () => {
    const html = brandedPage(page, { ...plainBrand, cor: '#7a1f5c' }, '__CSP_NONCE__')
    const added = html.replace(/<style[^>]*>html:root[\s\S]*<\/style>\n/, '')
    expect(added).toBe(page)
    expect(html).toContain('<style nonce="__CSP_NONCE__">')
    expect(html).toContain('--mantine-color-brand-8:#7a1f5c')
    for (let shade = 0; shade < 10; shade += 1) expect(html).toContain(`--mantine-color-brand-${shade}:#`)
  })

  test('brandedPage names the logo where the page, the tab and the first paint need it', () => {
    const html = brandedPage(page, { ...plainBrand, logo, size }, 'n')
    expect(html).toContain(`data-logo="/api/portal/logo/${logo}"`)
    expect(html).toContain(`<link rel="icon" type="image/png" href="/api/portal/logo/${logo}" />`)
    expect(html).toContain('aspect-ratio:480/120')
    expect(html).not.toContain('"/favicon.svg"')
  })

  test('brandedPage takes a large square logo for the icon on the home screen, and no other', () => {
    const iconWith = (sides: Brand['size']) =>
      brandedPage(page, { ...plainBrand, logo, size: sides }, 'n').match(
        /<link rel="apple-touch-icon" href="([^"]*)"/,
      )?.[1]
    expect(iconWith({ width: 256, height: 256 })).toBe(`/api/portal/logo/${logo}`)
    expect(iconWith(size)).toBe('/icons/apple-touch-icon.png')
    expect(iconWith({ width: 128, height: 128 })).toBe('/icons/apple-touch-icon.png')
  })
})

describe('brandedManifest', () => {
  const branded = (brand: Partial<Brand>) =>
    JSON.parse(brandedManifest(manifest, { ...plainBrand, ...brand })) as object

  test('brandedManifest leaves the manifest as it is without settings', () => {
    expect(branded({})).toEqual(JSON.parse(manifest))
  })

  test('brandedManifest has the name and colour of the company, and the icons of the product', () => {
    expect(branded({ nome: 'Vida "&" Cia', cor: '#7a1f5c' })).toEqual({
      ...JSON.parse(manifest),
      name: 'Vida "&" Cia',
      short_name: 'Vida "&" Cia',
      background_color: '#7a1f5c',
      theme_color: '#7a1f5c',
    })
  })

  test('brandedManifest takes a large square logo for the icon, and no other', () => {
    expect(branded({ logo, size: { width: 256, height: 256 } })).toMatchObject({
      icons: [{ src: `/api/portal/logo/${logo}`, sizes: '256x256', type: 'image/png' }],
    })
    for (const other of [size, { width: 128, height: 128 }])
      expect(branded({ logo, size: other })).toEqual(JSON.parse(manifest))
  })
})

test('keepLast renders a page once until the look changes', () => {
  const render = vi.fn((brand: Brand) => brandedPage(page, brand, 'n'))
  const pageFor = keepLast(render)
  const red = { ...plainBrand, cor: '#7a1f5c' }
  expect(pageFor({ ...red })).toBe(pageFor({ ...red }))
  expect(render).toHaveBeenCalledTimes(1)
  expect(pageFor(plainBrand)).toBe(page)
  expect(pageFor({ ...red, logo, size })).toContain(`data-logo="/api/portal/logo/${logo}"`)
  expect(render).toHaveBeenCalledTimes(3)
})
