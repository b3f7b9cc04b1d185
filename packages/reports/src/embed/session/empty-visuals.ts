import { ownValue } from '@bi-manager/contract/own-value'
import type { EmptyReason, EmptyVisualsRequest } from '../../contract/embed-contract.ts'
import { MOST_EXPLAINED } from '../../contract/wire-names.ts'
import { emptyText } from '../state/empty-text.ts'
import { EmbedProblem } from '../state/problem.ts'
import { activePage, filtersOnPage, filtersOnVisual, type ReportState } from '../state/report-state.ts'
import type { DataApi } from './data-api.ts'
import type { PageResult } from './page-data.ts'
import type { ReportView } from './session-view.ts'

interface Screen {
  api: Pick<DataApi, 'emptyReasons'>
  view: Pick<ReportView, 'explainEmpty'>
  emit: (event: string, body: unknown) => void
}

/** Tells the portal that a row rule compares a value that the reader does not have. */
const IDENTITY_MISSING = 'RowRuleWithoutCustomData'

/**
 * Says in the empty visuals of a drawn page why they have no rows. Without an answer they keep
 * their general sentence. A visual that a selection narrows keeps its own, which names it.
 */
export async function explainEmptyVisuals(
  { api, view, emit }: Screen,
  token: string,
  state: ReportState,
  result: PageResult,
  signal: AbortSignal,
): Promise<void> {
  const { id } = state.report
  try {
    // One after another: the reader already sees the page.
    for (const { page, visuals, filters } of questionsOf(state, result)) {
      const { reasons } = await api.emptyReasons(id, token, { page, visuals, filters }, signal)
      if (signal.aborted) return
      const named = Object.entries(reasons)
      view.explainEmpty(
        Object.fromEntries(named.map(([name, reason]) => [name, emptyText(reason, filters, state.report)])),
      )
      if (named.some(([, reason]) => isIdentityMissing(reason))) emit('info', { message: IDENTITY_MISSING })
    }
  } catch (cause) {
    if (!signal.aborted) console.info('Os visuais vazios não puderam ser explicados.', cause)
  }
}

/** Returns one question for the visuals without filters of their own, and one for each other. */
function questionsOf(state: ReportState, result: PageResult): EmptyVisualsRequest[] {
  const page = activePage(state)
  const { selection } = state
  const isNarrowed = ({ name, ignoresSelection }: (typeof page.visuals)[number]) =>
    selection !== undefined && selection.visual !== name && !ignoresSelection
  const empty = page.visuals.filter((visual) => {
    const data = ownValue(result, visual.name)
    return data && !(data instanceof EmbedProblem) && data.rows.length === 0 && !isNarrowed(visual)
  })
  const hasOwn = (name: string) => (state.visualFilters[`${page.name}/${name}`]?.length ?? 0) > 0
  const names = empty.map(({ name }) => name).slice(0, MOST_EXPLAINED)
  const common = names.filter((name) => !hasOwn(name))
  const shared = { page: page.name, visuals: common, filters: filtersOnPage(state, page.name) }
  const own = names.filter(hasOwn).map((name) => ({
    page: page.name,
    visuals: [name],
    filters: filtersOnVisual(state, page.name, name),
  }))
  return [...(common.length > 0 ? [shared] : []), ...own]
}

const isIdentityMissing = (reason: EmptyReason): boolean => reason.kind === 'rule' && reason.lacksCustomData
