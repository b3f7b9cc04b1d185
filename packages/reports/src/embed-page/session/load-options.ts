import { isRecord } from '../../definitions/is-record.ts'
import type { EmbeddedReport } from '../../wire/embed-contract.ts'
import { applyNamed, applyWritten } from '../state/bookmarks.ts'
import { applyOperation, readFilters } from '../state/filters.ts'
import { problem } from '../state/problem.ts'
import {
  authorState,
  type FilterScope,
  filtersOf,
  findPage,
  findVisual,
  type ReportState,
  withFilters,
  withSettings,
  withSlicer,
} from '../state/report-state.ts'
import { readTheme } from '../state/report-theme.ts'
import { findSelectedSlicers, readSlicerState } from '../state/slicer-state.ts'

/** The fields of a load or render message. Each is validated where it is read. */
export interface LoadOptions {
  /** `visual` embeds one visual: the page and the visual must exist. */
  type?: unknown
  visualName?: unknown
  pageName?: unknown
  filters?: unknown
  slicers?: unknown
  settings?: unknown
  /** `{name}` or `{state}`. Page, filters and slicers of the same message override it. */
  bookmark?: unknown
  theme?: unknown
}

export const initialState = (report: EmbeddedReport, options: LoadOptions): ReportState =>
  withOptions(authorState(report), options)

/** Applies the options. An unknown page name keeps the active page, as in Power BI. */
export const withOptions = (before: ReportState, options: LoadOptions): ReportState => {
  const { pageName, filters, slicers, settings, bookmark, theme } = options
  if (options.type === 'visual') findVisual(findPage(before, pageName), options.visualName)
  let state = bookmark === undefined ? before : applyBookmark(before, bookmark)
  const activePage = state.report.pages.find(({ name }) => name === pageName)?.name ?? state.activePage
  if (activePage !== state.activePage) state = { ...state, activePage, selection: undefined }
  state = withSlicers(withLoadFilters(state, filters), slicers)
  if (theme !== undefined) state = { ...state, theme: readTheme(theme) }
  return withSettings(state, settings ?? {})
}

const applyBookmark = (state: ReportState, input: unknown): ReportState => {
  if (typeof input !== 'object' || input === null)
    throw problem(400, 'InvalidParameters', 'O marcador deve vir com name ou state.')
  if ('state' in input) return applyWritten(state, input.state).state
  return applyNamed(state, 'name' in input ? input.name : undefined).state
}

const withSlicers = (state: ReportState, input: unknown): ReportState => {
  if (input === undefined || input === null) return state
  if (!Array.isArray(input))
    throw problem(400, 'InvalidParameters', 'As segmentações devem vir em uma lista.')
  return input.reduce<ReportState>((changed, item: unknown) => {
    if (!isRecord(item)) throw problem(400, 'InvalidParameters', 'Cada segmentação deve ser um objeto.')
    const { selector, state: wanted } = item
    return findSelectedSlicers(changed, selector).reduce(
      (next, { page, visual }) =>
        withSlicer(next, { page, visual: visual.name }, readSlicerState(next, visual, wanted)),
      changed,
    )
  }, state)
}

/** A list replaces the author's filters of the same targets; OnLoadFilters name an operation. */
const withLoadFilters = (state: ReportState, input: unknown): ReportState => {
  if (input === undefined || input === null) return state
  if (Array.isArray(input)) return operate(state, {}, { operation: 3, filters: input })
  const { allPages, currentPage } = onLoad(input)
  const withReport = allPages ? operate(state, {}, allPages) : state
  return currentPage ? operate(withReport, { page: state.activePage }, currentPage) : withReport
}

const operate = (state: ReportState, scope: FilterScope, input: unknown): ReportState => {
  const { operation, filters } = onLoad(input)
  const checked = readFilters(filters, state.report.columns)
  return withFilters(state, scope, applyOperation(filtersOf(state, scope), operation, checked))
}

/** Ignoring malformed filters would show rows that they should hide. */
const onLoad = (input: unknown): Record<string, unknown> => {
  if (!isRecord(input)) throw problem(400, 'InvalidFilter', 'Os filtros devem vir em uma lista.')
  return input
}
