import { ownValue } from '@bi-manager/contract/own-value'
import type { IPage, ISettings, IVisual } from 'powerbi-models'
import { CANVAS } from '../../definitions/canvas.ts'
import { MAX_FILTERS } from '../../definitions/filter-operators.ts'
import { isRecord } from '../../definitions/is-record.ts'
import { visualTypes } from '../../definitions/visual-types.ts'
import type {
  Cell,
  EmbeddedReport,
  EmbeddedVisual,
  Filter,
  Sort,
  VisualFilter,
} from '../../wire/embed-contract.ts'
import type { ReportTheme } from '../view/style/theme.ts'
import { findColumn } from './filter-words.ts'
import { problem } from './problem.ts'
import { visualLayouts, withLayout } from './visual-moves.ts'

export type EmbeddedPage = EmbeddedReport['pages'][number]

/** The whole state of a loaded report except its token and data. Immutable: replaced as a whole. */
export interface ReportState {
  report: EmbeddedReport
  activePage: string
  reportFilters: Filter[]
  /** Keyed by page name. */
  pageFilters: Record<string, Filter[]>
  /** Keyed by `page/visual`. */
  visualFilters: Record<string, VisualFilter[]>
  /** The filters of slicers, keyed by `page/visual`. They apply to every visual of the page. */
  slicers: Record<string, Filter[]>
  /** The selection on the active page; changing the page clears it. */
  selection: PageSelection | undefined
  /** Drill paths, from the top level down, keyed by `page/visual`. */
  drill: Record<string, Cell[]>
  /** The columns by which the embedder sorted rows, keyed by `page/visual`. */
  sorts: Record<string, Sort>
  settings: ISettings
  zoom: number
  /** The embedder's theme, which replaces the default colours. */
  theme: ReportTheme | undefined
}

export interface PageSelection {
  visual: string
  /** Cross-filters for the other visuals of the page. */
  filters: Filter[]
  /** The value of the selected point: a second click on it clears the selection. */
  value: Cell
}

/** The part of the state that a bookmark stores. */
export type Captured = Pick<
  ReportState,
  'reportFilters' | 'pageFilters' | 'visualFilters' | 'slicers' | 'selection' | 'drill' | 'sorts'
>

/** Restores the author's filters and keeps the viewer's settings. */
export const resetFilters = ({ report, activePage, settings, zoom, theme }: ReportState): ReportState => ({
  ...authorState(report),
  activePage,
  settings,
  zoom,
  theme,
})

export const findPage = ({ report }: ReportState, name: unknown): EmbeddedPage => {
  const page = report.pages.find((candidate) => candidate.name === name)
  if (!page) throw problem(404, 'PowerBIEntityNotFound', `Este relatório não tem a página ${String(name)}.`)
  return page
}

export const findVisual = (page: EmbeddedPage, name: unknown): EmbeddedVisual => {
  const visual = page.visuals.find((candidate) => candidate.name === name)
  if (!visual) throw problem(404, 'PowerBIEntityNotFound', `Esta página não tem o visual ${String(name)}.`)
  return visual
}

export const findSlicer = (page: EmbeddedPage, name: unknown): EmbeddedVisual => {
  const visual = findVisual(page, name)
  if (visual.type !== 'slicer')
    throw problem(400, 'InvalidVisual', `${visual.name} não é uma segmentação de dados.`)
  return visual
}

export const activePage = (state: ReportState) => findPage(state, state.activePage)

/** The owner of a list of filters: the report, one of its pages, or one visual of a page. */
export interface FilterScope {
  page?: string
  visual?: string
}

export type VisualScope = Required<FilterScope>
type PageScope = Pick<FilterScope, 'page'>

/** Returns the filters of the report, or of one of its pages. */
export const filtersOf = (state: ReportState, { page }: PageScope): Filter[] => {
  return page === undefined
    ? state.reportFilters
    : (ownValue(state.pageFilters, findPage(state, page).name) ?? [])
}

export const visualFiltersOf = (state: ReportState, scope: VisualScope): VisualFilter[] =>
  state.visualFilters[visualKey(state, scope)] ?? []

const visualKey = (state: ReportState, { page, visual }: VisualScope) =>
  `${page}/${findVisual(findPage(state, page), visual).name}`

/**
 * Returns the state with these filters of the report, or of one of its pages.
 * @throws `InvalidFilter` when one data call could not carry them
 */
export const withFilters = (state: ReportState, { page }: PageScope, filters: Filter[]): ReportState => {
  if (page === undefined) return checked({ ...state, reportFilters: filters })
  const { name } = findPage(state, page)
  return checked({ ...state, pageFilters: { ...state.pageFilters, [name]: filters } })
}

/** Returns the state with other filters of one visual. */
export const withVisualFilters = (
  state: ReportState,
  scope: VisualScope,
  filters: VisualFilter[],
): ReportState =>
  checked({ ...state, visualFilters: { ...state.visualFilters, [visualKey(state, scope)]: filters } })

export const withSort = (state: ReportState, scope: VisualScope, sort: Sort): ReportState => ({
  ...state,
  sorts: { ...state.sorts, [visualKey(state, scope)]: sort },
})

/** Whether the reader or the embedder changed what `resetFilters` restores. */
export const isChanged = (state: ReportState): boolean => {
  const captured = ({
    reportFilters,
    pageFilters,
    visualFilters,
    slicers,
    selection,
    drill,
    sorts,
  }: ReportState) =>
    JSON.stringify([
      reportFilters,
      ...[pageFilters, visualFilters, slicers, drill, sorts].map((byPlace) =>
        Object.entries(byPlace)
          .filter(([, value]) => !Array.isArray(value) || value.length > 0)
          .toSorted(),
      ),
      selection,
    ])
  return captured(state) !== captured(resetFilters(state))
}

/** @throws `InvalidFilter` when one data call could not carry the filters */
export const checked = (next: ReportState): ReportState => {
  for (const page of next.report.pages) {
    for (const { name } of page.visuals) {
      const picked = page.name === next.activePage ? (next.selection?.filters.length ?? 0) : 0
      if (filtersOnVisual(next, page.name, name).length + picked > MAX_FILTERS)
        throw problem(400, 'InvalidFilter', `No máximo ${MAX_FILTERS} filtros ao mesmo tempo.`)
    }
  }
  return next
}

export const filtersOnPage = (state: ReportState, page: string) => [
  ...state.reportFilters,
  ...(ownValue(state.pageFilters, page) ?? []),
  ...Object.entries(state.slicers).flatMap(([key, filters]) => (key.startsWith(`${page}/`) ? filters : [])),
]

export const slicerOf = (state: ReportState, page: string, visual: string): Filter[] =>
  state.slicers[`${page}/${visual}`] ?? []

export const withSlicer = (state: ReportState, scope: VisualScope, filters: Filter[]): ReportState => {
  const { name } = findSlicer(findPage(state, scope.page), scope.visual)
  return checked({ ...state, slicers: { ...state.slicers, [`${scope.page}/${name}`]: filters } })
}

export const withSelection = (state: ReportState, selection: PageSelection | undefined): ReportState =>
  checked({ ...state, selection })

/**
 * Sets the drill path of a visual; an empty path is the top level. Clears a selection in the
 * visual, which would no longer be visible.
 */
export const withDrill = (state: ReportState, name: string, path: Cell[]): ReportState => {
  const selection = state.selection?.visual === name ? undefined : state.selection
  return { ...state, selection, drill: { ...state.drill, [`${state.activePage}/${name}`]: path } }
}

/** Changes the page, which clears the selection. */
export const withPage = (state: ReportState, name: string): ReportState =>
  name === state.activePage ? state : { ...state, activePage: name, selection: undefined }

export const filtersOnVisual = (state: ReportState, page: string, visual: string): VisualFilter[] => [
  ...filtersOnPage(state, page),
  ...(state.visualFilters[`${page}/${visual}`] ?? []),
]

/** Merges settings. Unknown ones are kept and have no effect, as in Power BI. */
export const withSettings = (state: ReportState, input: unknown): ReportState => {
  if (!isRecord(input)) throw problem(400, 'InvalidParameters', 'As configurações devem ser um objeto.')
  const change: ISettings = input
  const zoom = change.zoomLevel ?? state.zoom
  if (typeof zoom !== 'number' || !(zoom >= MIN_ZOOM && zoom <= MAX_ZOOM))
    throw problem(400, 'InvalidParameters', 'O zoom vai de 0,25 a 4.')
  const { settings } = state
  const panes = { ...settings.panes, ...change.panes }
  const customLayout = withLayout(settings.customLayout, change.customLayout)
  return {
    ...state,
    zoom,
    settings: { ...settings, ...change, panes, ...(customLayout && { customLayout }) },
  }
}

export const listPages = ({ report, activePage }: ReportState): IPage[] =>
  report.pages.map(({ name, displayName }) => ({
    name,
    displayName,
    isActive: name === activePage,
    visibility: 0,
    defaultSize: { type: 0, ...CANVAS },
    defaultDisplayOption: 0,
  }))

export const listVisuals = (state: ReportState, page: EmbeddedPage): IVisual[] => {
  const moved = visualLayouts(state, page.name)
  return page.visuals.map(({ name, title, type, layout }, z) => ({
    name,
    title,
    type: visualTypes[type].powerBi,
    layout: { ...layout, z, displayState: { mode: 0 }, ...ownValue(moved, name) },
  }))
}

export const paneVisibility = ({ settings, report }: ReportState) => {
  return {
    filters: settings.panes?.filters?.visible ?? settings.filterPaneEnabled ?? true,
    pages:
      (settings.panes?.pageNavigation?.visible ?? settings.navContentPaneEnabled ?? true) &&
      report.pages.length > 1,
  }
}

/** Returns a republished report on its first page, with the viewer's choices that still apply. */
export const republished = (before: ReportState, report: EmbeddedReport): ReportState => {
  const { settings, zoom, theme, reportFilters } = before
  const fresh = { ...authorState(report), settings, zoom, theme }
  if (reportFilters === before.report.filters) return fresh
  const isKnown = ({ target }: Filter) => findColumn(report.columns, target) !== undefined
  try {
    return withFilters(fresh, {}, reportFilters.filter(isKnown))
  } catch {
    // Together with the filters of the pages there are now too many.
    return fresh
  }
}

const MIN_ZOOM = 0.25
const MAX_ZOOM = 4

/** The report as its author published it, on its first page. */
export const authorState = (report: EmbeddedReport): ReportState => ({
  report,
  activePage: report.pages[0]?.name ?? '',
  reportFilters: report.filters,
  pageFilters: Object.fromEntries(report.pages.map(({ name, filters }) => [name, filters])),
  visualFilters: {},
  slicers: {},
  selection: undefined,
  drill: {},
  sorts: {},
  settings: {},
  zoom: 1,
  theme: undefined,
})
