import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import {
  loadManualPage,
  type ManualPage,
  manualSlugs,
  successors,
} from '../operations/manual/manual-pages.ts'
import { manualAddressOf, manualPlaces } from '../operations/manual/manual-places.ts'
import { routes } from './routes.tsx'

const pathsOf = ({ path, children = [] }: RouteObject): string[] => [
  ...(path ? [path] : []),
  ...children.flatMap(pathsOf),
]
const screens = routes.flatMap(pathsOf).filter((path) => path !== '*')
const pages = (await Promise.all(manualSlugs.map(loadManualPage))).filter((page) => page !== null)

/** Returns whether an address of the manual has its page and heading. */
const exists = (address: string): boolean => {
  const [path = '', id] = address.split('#')
  const page = pages.find(({ slug }) => path === (slug ? `/ajuda/${slug}` : '/ajuda'))
  return page !== undefined && (id === undefined || page.headings.some((heading) => heading.id === id))
}

test.each(screens)('the manual has a place for %s', (path) => {
  expect(manualPlaces[path], `add a place for ${path} to manual-places.ts`).toBeDefined()
})

test('manual-places.ts names only screens that exist', () => {
  expect(Object.keys(manualPlaces).filter((path) => !screens.includes(path))).toEqual([])
})

test.each(Object.entries(manualPlaces))('the place for %s, %s, is a page and heading', (_, place) => {
  expect(exists(place ? `/ajuda/${place}` : '/ajuda')).toBe(true)
})

test.each([
  ['/usuario', '/ajuda/contas#cadastrar-usuários'],
  ['/cadastrar-usuario/7', '/ajuda/contas#cadastrar-usuários'],
  ['/relatorio-embed/grupo/relatorio/g/r', '/ajuda/usar#ler-um-relatório'],
  ['/ajuda', '/ajuda'],
  ['/Usuario', '/ajuda'],
  ['https://exemplo.com.br', '/ajuda'],
])('the place for the screen %s is %s', (pathname, address) => {
  expect(manualAddressOf(pathname)).toBe(address)
})

const linksOf = ({ slug, html }: ManualPage): string[] =>
  [...html.matchAll(/href="([^"%]+)"/g)]
    .map(([, href = '']) => (href.startsWith('#') ? `/ajuda${slug && `/${slug}`}${href}` : href))
    .filter((href) => href.startsWith('/ajuda'))

test.each(pages.map((page) => [page.slug, page] as const))(
  'the links of the page "%s" lead to pages and headings of the manual',
  (_, page) => {
    expect(linksOf(page).filter((link) => !exists(link))).toEqual([])
  },
)

test('pages that took over sections of another page exist', () => {
  expect(
    Object.values(successors)
      .flat()
      .filter((slug) => !manualSlugs.includes(slug)),
  ).toEqual([])
})

test('the list of pages links every page', () => {
  const list = pages.find(({ slug }) => slug === '')
  const linked = list ? linksOf(list) : []
  expect(manualSlugs.filter((slug) => slug && !linked.includes(`/ajuda/${slug}`))).toEqual([])
})
