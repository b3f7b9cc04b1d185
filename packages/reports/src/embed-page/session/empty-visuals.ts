import { ownValue } from '@bi-manager/contract/own-value'
import type {
  EmbeddedVisual,
  EmptyReason,
  EmptyVisualsRequest,
  VisualFilter,
} from '../../wire/embed-contract.ts'
import { MAX_EXPLAINED } from '../../wire/wire-names.ts'
import { type EmptyText, emptyText, goneLevelText, goneSelectionText } from '../state/empty-text.ts'
import { EmbedProblem } from '../state/problem.ts'
import {
  activePage,
  filtersOnPage,
  filtersOnVisual,
  type PageSelection,
  type ReportState,
} from '../state/report-state.ts'
import { pathOf } from '../state/selection.ts'
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
 * their general sentence. A visual that a selection narrows keeps its own, unless the selected value
 * is in no row.
 */
export const explainEmptyVisuals = async (
  { api, view, emit }: Screen,
  token: string,
  state: ReportState,
  result: PageResult,
  signal: AbortSignal,
): Promise<void> => {
  const { id } = state.report
  try {
    // One after another: the reader already sees the page.
    for (const { request, textOf } of questionsOf(state, result)) {
      const { reasons } = await api.emptyReasons(id, token, request, signal)
      if (signal.aborted) return
      const named = Object.entries(reasons)
      const texts = named.flatMap(([name, reason]) => {
        const text = textOf(name, reason)
        return text ? [[name, text] as const] : []
      })
      view.explainEmpty(Object.fromEntries(texts))
      if (named.some(([, reason]) => isIdentityMissing(reason))) emit('info', { message: IDENTITY_MISSING })
    }
  } catch (cause) {
    if (!signal.aborted) console.info('Os visuais vazios não puderam ser explicados.', cause)
  }
}

interface Question {
  request: EmptyVisualsRequest
  /** Returns what a visual says for its reason; undefined for its general sentence. */
  textOf: (name: string, reason: EmptyReason) => EmptyText | undefined
}

/**
 * Returns one question for the visuals without filters of their own, one for each other, and one for
 * the visuals that the selection narrows.
 */
const questionsOf = (state: ReportState, result: PageResult): Question[] => {
  const page = activePage(state)
  const { selection, report } = state
  const isNarrowed = ({ name, ignoresSelection }: EmbeddedVisual) =>
    selection !== undefined && selection.visual !== name && !ignoresSelection
  const empty = page.visuals.filter(({ name }) => {
    const data = ownValue(result, name)
    return data && !(data instanceof EmbedProblem) && data.rows.length === 0
  })
  const hasOwn = ({ name }: EmbeddedVisual) => (state.visualFilters[`${page.name}/${name}`]?.length ?? 0) > 0
  const others = empty.filter((visual) => !isNarrowed(visual)).slice(0, MAX_EXPLAINED)
  const ask = (visuals: EmbeddedVisual[], filters: VisualFilter[]): Question => ({
    request: {
      page: page.name,
      visuals: visuals.map(({ name }) => name),
      filters,
      ...drillOf(state, visuals),
    },
    textOf: (name, reason) => {
      if (reason.kind !== 'drill') return emptyText(reason, filters, report)
      const visual = visuals.find((one) => one.name === name)
      return visual && goneLevelText(reason, visual, pathOf(state, visual), report)
    },
  })
  const common = others.filter((visual) => !hasOwn(visual))
  const narrowed = empty.filter(isNarrowed).slice(0, MAX_EXPLAINED)
  return [
    ...(common.length > 0 ? [ask(common, filtersOnPage(state, page.name))] : []),
    ...others.filter(hasOwn).map((visual) => ask([visual], filtersOnVisual(state, page.name, visual.name))),
    ...(selection && narrowed.length > 0 ? [askAboutSelection(selection, page.name, narrowed, report)] : []),
  ]
}

/** Asks whether the selection leaves no row without any other filter. */
const askAboutSelection = (
  selection: PageSelection,
  page: string,
  visuals: EmbeddedVisual[],
  report: ReportState['report'],
): Question => ({
  request: { page, visuals: visuals.map(({ name }) => name), filters: selection.filters },
  textOf: (_name, { kind }) => (kind === 'filters' ? goneSelectionText(selection, report) : undefined),
})

/** Returns the drill paths of visuals as the request has them. */
const drillOf = (state: ReportState, visuals: EmbeddedVisual[]): Pick<EmptyVisualsRequest, 'drill'> => {
  const open = visuals.filter((visual) => pathOf(state, visual).length > 0)
  if (open.length === 0) return {}
  return { drill: Object.fromEntries(open.map((visual) => [visual.name, [...pathOf(state, visual)]])) }
}

const isIdentityMissing = (reason: EmptyReason): boolean => reason.kind === 'rule' && reason.lacksCustomData
