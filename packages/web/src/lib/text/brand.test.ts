import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
})
afterEach(() => {
  vi.resetModules()
  for (const name of ['nome', 'logo']) delete document.documentElement.dataset[name]
})

test('the brand takes name and logo from the page that the server sent', async () => {
  Object.assign(document.documentElement.dataset, { nome: 'Rede Horizonte', logo: '/api/portal/logo/x' })
  const { brandName, brandLogo } = await import('./brand.ts')
  expect([brandName, brandLogo]).toEqual(['Rede Horizonte', '/api/portal/logo/x'])
  const { setPageTitle } = await import('../navigation/page-title.ts')
  setPageTitle('Início')
  expect(document.title).toBe('Início · Rede Horizonte')
})

test("the brand is the product's own where the server sent none", async () => {
  const { brandName, brandLogo } = await import('./brand.ts')
  expect([brandName, brandLogo]).toEqual(['BI Manager', '/favicon.svg'])
})
