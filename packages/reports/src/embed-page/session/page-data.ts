import { ownValue } from '@bi-manager/contract/own-value'
import { hasQuery } from '../../definitions/visual-types.ts'
import { restoreNotNumbers } from '../../engine/data/columns/not-numbers.ts'
import type {
  EmbeddedVisual,
  PageData,
  PageDataRequest,
  VisualData,
  VisualFilter,
} from '../../wire/embed-contract.ts'
import { asProblem, type EmbedProblem, isExpired, isGone, problem } from '../state/problem.ts'
import { activePage, filtersOnPage, filtersOnVisual, type ReportState } from '../state/report-state.ts'

/** The call for rows: over the network in the embed page, within the service for a spreadsheet. */
export interface PageDataApi {
  pageData(id: string, token: string, body: PageDataRequest, signal: AbortSignal): Promise<PageData>
}

/** The rows of each visual, or why it has none, keyed by its name. */
export type PageResult = Record<string, VisualData | EmbedProblem>

/**
 * Fetches the rows of the active page, or of some of its visuals. One call serves all visuals
 * without filters of their own; each other visual takes one call, whose failure affects only that
 * visual. An expired token fails the whole page.
 * @param underlying requests this many of the rows that the visuals aggregate instead
 */
export const loadPageData = async (
  api: PageDataApi,
  token: string,
  state: ReportState,
  signal: AbortSignal,
  only?: readonly string[],
  underlying?: number,
): Promise<PageResult> => {
  const page = activePage(state)
  const asked = page.visuals.filter(({ name, type }) => hasQuery(type) && (!only || only.includes(name)))
  const drill = Object.fromEntries(
    asked.flatMap(({ name }) => {
      const path = state.drill[`${page.name}/${name}`]
      return path?.length ? [[name, path]] : []
    }),
  )
  const sort = Object.fromEntries(
    asked.flatMap(({ name }) => {
      const wanted = state.sorts[`${page.name}/${name}`]
      return wanted ? [[name, wanted] as const] : []
    }),
  )
  const { selection } = state
  const ask = async (visuals: EmbeddedVisual[], filters: VisualFilter[]): Promise<PageResult> => {
    const request = {
      page: page.name,
      filters,
      drill,
      ...(Object.keys(sort).length > 0 && { sort }),
      ...(underlying && { underlying }),
      ...(selection && { selection: { visual: selection.visual, filters: selection.filters } }),
      ...(visuals.length < page.visuals.length && { visuals: visuals.map(({ name }) => name) }),
    }
    const answer = await api.pageData(state.report.id, token, request, signal)
    const failed = Object.entries(answer.failures).map(([name, { code, message }]) => [
      name,
      problem(500, code, message),
    ])
    for (const { rows, totals = [], notNumbers = [] } of Object.values(answer.visuals))
      restoreNotNumbers([...rows, totals], notNumbers)
    return { ...answer.visuals, ...Object.fromEntries(failed) }
  }

  const special = asked.filter(({ name }) => state.visualFilters[`${page.name}/${name}`]?.length)
  const common = asked.filter((visual) => !special.includes(visual))
  const [shared, ...own] = await Promise.all<PageResult>([
    common.length ? ask(common, filtersOnPage(state, page.name)) : {},
    ...special.map((visual) =>
      ask([visual], filtersOnVisual(state, page.name, visual.name)).catch((cause) => {
        // These failures affect every visual of the page.
        if (signal.aborted || isExpired(cause) || isGone(cause)) throw cause
        return { [visual.name]: asProblem(cause) }
      }),
    ),
  ])

  const answered = new Map(Object.entries(shared ?? {}))
  special.forEach(({ name }, index) => {
    const visual = ownValue(own[index], name)
    if (visual) answered.set(name, visual)
  })
  for (const { name } of asked) if (!answered.has(name)) answered.set(name, missing())
  return Object.fromEntries(answered)
}

const missing = () => problem(500, 'DataNotAvailable', 'Os dados deste visual não vieram.')
