import type { IReportBookmark } from 'powerbi-models'
import { isRecord } from '../../definitions/is-record.ts'
import type { Filter } from '../../wire/embed-contract.ts'
import { LONGEST_STATE } from '../../wire/wire-names.ts'
import { readFilters, readVisualFilters } from './filters.ts'
import { problem } from './problem.ts'
import {
  type Captured,
  checked,
  findPage,
  findVisual,
  type PageSelection,
  type ReportState,
  resetFilters,
} from './report-state.ts'
import { readSort } from './sort-order.ts'

/*
 * A bookmark state is base64url of JSON: page, filters, slicers, selection and drill paths. It
 * holds what the reader chose, never rows or tokens, so it may be stored and shared.
 */

interface Written extends Partial<Captured> {
  v: number
  report: string
  name: string
  page: string
  /** When not set, the state covers one page only, and applying it keeps all other pages. */
  allPages?: boolean
}

/** The state to apply, and the name for the event. */
export interface Bookmark {
  name: string
  state: ReportState
}

/** Returns the author's bookmarks in the order of the definition. */
export const listBookmarks = (before: ReportState): IReportBookmark[] =>
  before.report.bookmarks.map(({ name, displayName }) => {
    const { state } = bookmarkNamed(before, name)
    return { name, displayName, state: writeState(state, name, true) }
  })

/** Captures the current state under a generated unique name. */
export const captureBookmark = (state: ReportState, options: { allPages?: unknown }): IReportBookmark => {
  const name = `Bookmark${crypto.getRandomValues(new Uint32Array(2)).join('')}`
  const { displayName } = findPage(state, state.activePage)
  return { name, displayName, state: writeState(state, name, options.allPages === true) }
}

/** Returns the state after the author's bookmark, whose filters replace all others. */
export const applyNamed = (before: ReportState, name: unknown): Bookmark => {
  const bookmark = bookmarkNamed(before, name)
  return { ...bookmark, state: checked(bookmark.state) }
}

/**
 * Returns the state after a captured bookmark.
 * @throws `InvalidBookmarkState` when it is damaged, of another report, or names something the
 * report no longer has.
 */
export const applyWritten = (before: ReportState, text: unknown): Bookmark => {
  const written = readState(text)
  const { report } = before
  if (written.report !== report.id) throw refused('Este marcador é de outro relatório.')
  try {
    const captured = checkCaptured(written, before)
    const onPage = { ...before, activePage: findPage(before, written.page).name }
    return { name: written.name, state: checked({ ...onPage, ...merge(onPage, captured, written) }) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : ''
    throw refused(`Este marcador não serve mais para o relatório. ${reason}`.trim())
  }
}

const VERSION = 1

const refused = (detail: string) => problem(400, 'InvalidBookmarkState', detail)

const bookmarkNamed = (before: ReportState, name: unknown): Bookmark => {
  const bookmark = before.report.bookmarks.find((candidate) => candidate.name === name)
  if (!bookmark)
    throw problem(404, 'PowerBIEntityNotFound', `Este relatório não tem o marcador ${String(name)}.`)
  const state = { ...resetFilters(before), activePage: bookmark.page, reportFilters: bookmark.filters }
  return { name: bookmark.name, state }
}

const writeState = (state: ReportState, name: string, allPages: boolean): string => {
  const { report, activePage } = state
  const mine = (key: string) => allPages || key === activePage || key.startsWith(`${activePage}/`)
  const written: Written = {
    v: VERSION,
    report: report.id,
    name,
    page: activePage,
    ...(allPages && { allPages }),
    reportFilters: state.reportFilters,
    pageFilters: only(state.pageFilters, mine),
    visualFilters: only(state.visualFilters, mine),
    slicers: only(state.slicers, mine),
    drill: only(state.drill, mine),
    sorts: only(state.sorts, mine),
    ...(state.selection && { selection: state.selection }),
  }
  const text = encode(JSON.stringify(written))
  if (text.length > LONGEST_STATE)
    throw problem(400, 'BookmarkTooLarge', 'Há filtros demais para um marcador.')
  return text
}

const readState = (text: unknown): Written => {
  if (typeof text !== 'string' || !text || text.length > LONGEST_STATE || !/^[\w-]+$/.test(text))
    throw refused('Este marcador está danificado.')
  let written: unknown
  try {
    written = JSON.parse(decode(text))
  } catch {
    throw refused('Este marcador está danificado.')
  }
  const { v, report, name, page } = record(written)
  if (v !== VERSION || typeof report !== 'string' || typeof name !== 'string' || typeof page !== 'string')
    throw refused('Este marcador está danificado.')
  return written as Written
}

/** Validates each part: pages and visuals must exist, filters must name existing columns. */
const checkCaptured = (written: Written, state: ReportState): Captured => {
  const { columns } = state.report
  const filters = (input: unknown) => readFilters(input, columns)
  const visualAt = (key: string) => {
    const [page = '', visual = ''] = key.split('/')
    return findVisual(findPage(state, page), visual)
  }
  return {
    reportFilters: filters(written.reportFilters),
    pageFilters: each(written.pageFilters, (value, page) => {
      findPage(state, page)
      return filters(value)
    }),
    visualFilters: each(written.visualFilters, (value, key) => {
      visualAt(key)
      return readVisualFilters(value, columns)
    }),
    sorts: each(written.sorts, (value, key) => {
      visualAt(key)
      return readSort(value)
    }),
    slicers: each(written.slicers, (value, key) => {
      if (visualAt(key).type !== 'slicer') throw refused(`${key} não é uma segmentação de dados.`)
      return filters(value)
    }),
    drill: each(written.drill, (value, key) => {
      const levels = visualAt(key).drill?.levels.length ?? 0
      if (!Array.isArray(value) || value.length >= levels || !value.every(isCell))
        throw refused(`${key} não tem esta hierarquia.`)
      return value
    }),
    selection: checkSelection(written, state, filters),
  }
}

const checkSelection = (
  { selection, page }: Written,
  state: ReportState,
  filters: (input: unknown) => Filter[],
): PageSelection | undefined => {
  if (selection === undefined) return undefined
  const { visual, value } = record(selection)
  if (!isCell(value)) throw refused('Este marcador está danificado.')
  const { name } = findVisual(findPage(state, page), visual)
  return { visual: name, value, filters: filters(record(selection).filters) }
}

/** A bookmark of one page keeps the state of all other pages. */
const merge = (before: ReportState, captured: Captured, { page, allPages }: Written): Captured => {
  if (allPages) return captured
  const others = (key: string) => key !== page && !key.startsWith(`${page}/`)
  return {
    ...captured,
    pageFilters: { ...only(before.pageFilters, others), ...captured.pageFilters },
    visualFilters: { ...only(before.visualFilters, others), ...captured.visualFilters },
    slicers: { ...only(before.slicers, others), ...captured.slicers },
    drill: { ...only(before.drill, others), ...captured.drill },
    sorts: { ...only(before.sorts, others), ...captured.sorts },
  }
}

const only = <T>(entries: Record<string, T>, wanted: (key: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).filter(([key]) => wanted(key)))

const each = <T>(input: unknown, read: (value: unknown, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record(input ?? {})).map(([key, value]) => [key, read(value, key)]))

const record = (input: unknown): Record<string, unknown> => {
  if (!isRecord(input)) throw refused('Este marcador está danificado.')
  return input
}

const isCell = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const encode = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const decode = (text: string): string => {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
  )
}
