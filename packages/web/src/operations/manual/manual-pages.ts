import { queryOptions } from '@tanstack/react-query'
import type { ManualHeading, ReadPage } from '../../../manual/read-page.ts'

export type { ManualHeading }

type ManualContent = Pick<ReadPage, 'title' | 'headings' | 'html'>

/** A page of the manual with its part of the address; '' is the list of pages. */
export interface ManualPage extends ManualContent {
  slug: string
}

/** manual/manual-plugin.ts turns each file into a module; each is a chunk of the build. */
const files = import.meta.glob<ManualContent>(
  [
    '../../../../../docs/manual/*.md',
    '../../../../../docs/auditoria.md',
    '../../../../../docs/relatorios.md',
  ],
  { import: 'default' },
)

/** The pages for administrators, one for each area. */
const administration = [
  'contas',
  'conexoes',
  'workspaces-e-relatorios',
  'permissoes',
  'publicacao',
  'teloes-e-avisos',
  'operacao',
]

/** For a page that was split, the pages that its old anchors may lead to. */
export const successors: Readonly<Record<string, readonly string[]>> = { administrar: administration }

/** Their results come first: most readers use or administer the portal. */
const first = ['usar', 'prontuarios', 'administrar', ...administration]
const rankOf = (slug: string): number => (first.includes(slug) ? first.indexOf(slug) : first.length)

const slugOf = (path: string): string => {
  const name = path.replace(/^.*\/|\.md$/g, '')
  return name === 'README' ? '' : name
}

const loaders = new Map(
  Object.entries(files)
    .map(([path, load]) => [slugOf(path), load] as const)
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b)),
)

/** The parts of the pages' addresses, in the order of the search's results. */
export const manualSlugs: readonly string[] = [...loaders.keys()]

/** Returns null if the manual has no page with this part of the address. */
export const loadManualPage = async (slug: string): Promise<ManualPage | null> => {
  const content = await loaders.get(slug)?.()
  return content ? { slug, ...content } : null
}

/** One page, or null if the manual has none at this address. */
export const manualPageQuery = (slug: string) =>
  queryOptions({
    queryKey: ['manual', slug],
    queryFn: () => loadManualPage(slug),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The page that took over a heading of another page, or null. */
export const successorQuery = (slug: string, anchor: string) =>
  queryOptions({
    queryKey: ['manual', slug, 'sucessora', anchor],
    queryFn: async () => {
      const pages = await Promise.all((successors[slug] ?? []).map(loadManualPage))
      return pages.find((page) => page?.headings.some(({ id }) => id === anchor))?.slug ?? null
    },
    enabled: slug in successors && anchor !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All pages except the list of pages, for the search. */
export const wholeManualQuery = queryOptions({
  queryKey: ['manual', 'tudo', 'busca'],
  queryFn: async () => {
    const pages = await Promise.all(manualSlugs.filter(Boolean).map(loadManualPage))
    return pages.filter((page) => page !== null)
  },
  staleTime: Number.POSITIVE_INFINITY,
})
