import { BOOKMARK_LENGTH, type ReportFilter, type SavedView } from '@bi-manager/contract'
import {
  applyFilters,
  filtersOf,
  lackingFields,
  type NamedField,
  type PanelField,
} from '../filters/panel-filters.ts'
import { pageIn } from '../filters/report-address.ts'
import type { OpenReport } from '../frame/report-frame.ts'
import { TimeLimitError } from '../problems/time-limit.ts'
import type { OpeningInput } from './opening-input.ts'

/**
 * Says that the report lacks the page of the URL, and forgets it. Both services open the first page
 * when the requested one does not exist.
 */
export const forgetUnknownPage = async (
  report: OpenReport,
  { search, onPage, onStatus }: OpeningInput,
  signal: AbortSignal,
): Promise<void> => {
  const wanted = pageIn(search)
  if (!wanted) return
  try {
    const names = await report.pageNames()
    if (signal.aborted || names.includes(wanted)) return
    onPage(undefined)
    onStatus({ lostParts: [unknownPage] })
  } catch (error) {
    console.warn('As páginas do relatório não puderam ser lidas.', error)
  }
}

const unknownPage = 'A página do endereço não existe mais neste relatório. Ele abriu na primeira página.'

export type ViewContent = Pick<SavedView, 'pagina' | 'filtros' | 'marcador'>

/** The parts of a view that the report no longer has. */
export interface ViewOutcome {
  missing: NamedField[]
  /** Portuguese sentences. */
  lostParts: string[]
}

/** The state on the screen, for a saved view or an export. */
export interface Capture {
  pagina: string | null
  marcador: string | null
  /** The bookmark's state is too long to be stored. */
  isTooLong: boolean
}

const pageGone = 'A página guardada não existe mais no relatório. O resto foi aplicado.'
const picksGone = 'As seleções guardadas não servem mais para o relatório. O resto foi aplicado.'

interface ViewContext {
  /** The report's own filters, which always apply. */
  own: readonly ReportFilter[]
  /** The selects of its panel. */
  fields: readonly PanelField[]
  /** Makes a call and resolves when its result is drawn. */
  drawn: (call: () => Promise<void>) => Promise<void>
}

/**
 * Applies a saved view: bookmark, then page, then panel filters, skipping what the report lacks.
 * @throws the errors of applyFilters; TimeLimitError when the report does not answer
 */
export const showView = async (
  report: OpenReport,
  { pagina, filtros, marcador }: ViewContent,
  { own, fields, drawn }: ViewContext,
): Promise<ViewOutcome> => {
  const lostParts: string[] = []
  if (marcador !== null) {
    await report.applyBookmark(marcador).catch((error: unknown) => {
      if (error instanceof TimeLimitError) throw error
      lostParts.push(picksGone)
    })
  }
  try {
    if (pagina !== null && (await report.activePage()) !== pagina) {
      if ((await report.pageNames()).includes(pagina)) await report.showPage(pagina)
      else lostParts.push(pageGone)
    }
  } catch (error) {
    // The bookmark has replaced the report's own filters, which must always apply: restore them.
    await applyFilters((filters) => report.setFilters(filters), own, filtersOf(fields, filtros))
    throw error
  }
  const chosen = filtersOf(fields, filtros)
  // Without panel filters nothing may change, and then no drawing follows.
  const apply = (filters: ReportFilter[]) =>
    chosen.length > 0 ? drawn(() => report.setFilters(filters)) : report.setFilters(filters)
  const refused = await applyFilters(apply, own, chosen)
  return { missing: [...lackingFields(Object.entries(filtros), fields), ...refused], lostParts }
}

/** Captures page and bookmark; `marcador` is null when the service has no bookmarks. */
export const captureView = async (report: OpenReport): Promise<Capture> => {
  const page = await report.activePage()
  const state = await report.captureBookmark().catch((error: unknown) => {
    if (error instanceof TimeLimitError) throw error
    console.info('O serviço de BI não guarda marcadores.', error)
    return null
  })
  const isTooLong = state !== null && state.length > BOOKMARK_LENGTH
  return {
    pagina: storable(page) ?? null,
    marcador: isTooLong ? null : state,
    isTooLong,
  }
}

/** The page on the screen. */
export interface ShownPage {
  /** Undefined when the portal does not store such a name. */
  name: string | undefined
  title: string | undefined
}

export const shownPage = async (report: OpenReport): Promise<ShownPage> => {
  const [name, title] = await Promise.all([report.activePage(), report.activePageTitle()])
  return { name: storable(name), title }
}

const storable = (page: string | undefined): string | undefined =>
  page && /^[\w-]{1,100}$/.test(page) ? page : undefined
