import type { Filter, VisualData } from '../embed-contract.ts'
import type { DataApi } from './data-api.ts'
import { asProblem, type EmbedProblem, isExpired, problem } from './problem.ts'
import { activePage, filtersOnPage, filtersOnVisual, type ReportState } from './report-state.ts'

/** By visual name: its rows, or why it has none. */
export type PageResult = Record<string, VisualData | EmbedProblem>

/**
 * The rows of the active page. One call serves every visual without filters of its own; each of the others takes one
 * call more, and its failure stays its own. An expired token fails the whole page.
 */
export async function loadPageData(
  api: DataApi,
  token: string,
  state: ReportState,
  signal: AbortSignal,
): Promise<PageResult> {
  const page = activePage(state)
  const ask = (filters: Filter[]) =>
    api.pageData(state.report.id, token, { page: page.name, filters }, signal).then(({ visuals }) => visuals)

  const special = page.visuals.filter(({ name }) => state.visualFilters[`${page.name}/${name}`]?.length)
  const [common, ...own] = await Promise.all([
    special.length < page.visuals.length ? ask(filtersOnPage(state, page.name)) : {},
    ...special.map(({ name }) =>
      ask(filtersOnVisual(state, page.name, name)).catch((cause) => {
        if (signal.aborted || isExpired(cause)) throw cause
        return { [name]: asProblem(cause) }
      }),
    ),
  ])

  const result: PageResult = { ...common }
  special.forEach(({ name }, index) => {
    const visual = own[index]?.[name]
    if (visual) result[name] = visual
  })
  for (const { name } of page.visuals) result[name] ??= missing()
  return result
}

const missing = () => problem(500, 'DataNotAvailable', 'Os dados deste visual não vieram.')
