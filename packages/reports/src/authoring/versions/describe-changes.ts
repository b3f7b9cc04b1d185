import type { ReportDefinition, VisualDefinition } from '../../definitions/definition.ts'

const number = new Intl.NumberFormat('pt-BR')

const counted = (count: number, one: string, more: string): string =>
  `${number.format(count)} ${count === 1 ? one : more}`

/** 'Dados substituídos (5.000 linhas)' */
export const replacedData = (rows: number): string =>
  `Dados substituídos (${counted(rows, 'linha', 'linhas')})`

/** Returns what changed in a definition, as one sentence: 'Definição alterada: 2 visuais novos'. */
export const describeDefinition = (before: ReportDefinition, after: ReportDefinition): string => {
  const pages = compare(byName(before.pages), byName(after.pages), ({ visuals: _visuals, ...page }) => page)
  const visuals = compare(visualsOf(before), visualsOf(after), (visual) => visual)
  const { name: _before, pages: _pagesBefore, ...restBefore } = before
  const { name: _after, pages: _pagesAfter, ...restAfter } = after
  const parts = [
    before.name === after.name ? undefined : `nome “${after.name}”`,
    ...pageWords.map(([kind, one, more]) => pages[kind] && counted(pages[kind], one, more)),
    ...visualWords.map(([kind, one, more]) => visuals[kind] && counted(visuals[kind], one, more)),
    isSame(restBefore, restAfter) ? undefined : 'ajustes do relatório',
  ].filter((part) => typeof part === 'string')
  return parts.length === 0 ? 'Texto da definição alterado' : `Definição alterada: ${parts.join(', ')}`
}

const pageWords = [
  ['added', 'página nova', 'páginas novas'],
  ['removed', 'página retirada', 'páginas retiradas'],
  ['changed', 'página alterada', 'páginas alteradas'],
] as const
const visualWords = [
  ['added', 'visual novo', 'visuais novos'],
  ['removed', 'visual retirado', 'visuais retirados'],
  ['changed', 'visual alterado', 'visuais alterados'],
] as const

const byName = <T extends { name: string }>(all: T[]) => new Map(all.map((one) => [one.name, one]))

/** Names of visuals are unique on their page only. */
const visualsOf = ({ pages }: ReportDefinition): Map<string, VisualDefinition> =>
  new Map(pages.flatMap((page) => page.visuals.map((visual) => [`${page.name}/${visual.name}`, visual])))

const compare = <T>(before: Map<string, T>, after: Map<string, T>, content: (one: T) => unknown) => {
  const changed = [...after].filter(([name, one]) => {
    const earlier = before.get(name)
    return earlier !== undefined && !isSame(content(earlier), content(one))
  })
  return {
    added: [...after.keys()].filter((name) => !before.has(name)).length,
    removed: [...before.keys()].filter((name) => !after.has(name)).length,
    changed: changed.length,
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
