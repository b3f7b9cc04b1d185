import type { EmbeddedReport } from '@bi-manager/contract'
import { type ReportIds, reportInAddress } from '../../../lib/navigation/report-path.ts'
import { currentSession } from '../../../lib/session/session.ts'
import { choiceFrom, filtersOf } from '../filters/panel-filters.ts'
import { pageIn, withoutInvalid } from '../filters/report-address.ts'
import { readyFrame, reserveReadyFrame } from '../frame/frame-slot.ts'
import type { FrameListeners, OpenReport, ReportFrame } from '../frame/report-frame.ts'
import { prefetchToken, takeArrivedToken } from '../tokens/token-prefetch.ts'

/** How long an early opening waits for its page to mount (ms). */
const keptMs = 5_000

/** A report that its frame loads before its page has mounted. */
export interface EarlyOpening {
  frame: ReportFrame
  embedded: EmbeddedReport
  /** On the clock of `performance.now()`. */
  startedAt: number
  opened: Promise<OpenReport>
  /** Replays the frame's past events to these listeners and forwards later ones. */
  hear: (listeners: FrameListeners) => void
  drop: () => void
}

interface Place {
  pathname: string
  search: string
}

let begun: { key: string; early: EarlyOpening; timer: ReturnType<typeof setTimeout> } | undefined

/**
 * Starts loading the report of a URL if its token and a frame are ready, while the portal renders
 * the page around it. Does nothing for the report that is already on the screen.
 */
export const openReportEarly = (from: Place, to: Place): void => {
  const address = reportInAddress(to)
  if (!address || sameReport(address, reportInAddress(from))) return
  begun?.early.drop()
  const frame = reserveReadyFrame()
  const embedded = frame && takeArrivedToken(address)
  if (!frame || !embedded) return
  const { search } = withoutInvalid(new URLSearchParams(to.search))
  const early = begin(frame, embedded, search)
  begun = { key: keyOf(address, search), early, timer: setTimeout(early.drop, keptMs) }
}

/**
 * Prefetches a report while the pointer rests on its link: its token and, in an idle frame of the
 * local service, its definition and rows. Does not count as a view and changes nothing on the
 * screen.
 */
export const prefetchReport = async (report: ReportIds, search: URLSearchParams): Promise<void> => {
  const embedded = await prefetchToken(report)
  if (!embedded) return
  const { addressed, drawLater } = withUrlOptions(embedded, withoutInvalid(search).search)
  // With panel filters the rows are requested later: the report may lack a filter's column.
  if (!drawLater) readyFrame()?.prefetch(addressed)
}

/** Returns the early opening of this URL and removes it. */
export const takeEarlyOpening = (address: ReportIds, search: URLSearchParams): EarlyOpening | undefined => {
  if (begun?.key !== keyOf(address, search)) return undefined
  const { early, timer } = begun
  clearTimeout(timer)
  begun = undefined
  return early
}

const begin = (frame: ReportFrame, embedded: EmbeddedReport, search: URLSearchParams): EarlyOpening => {
  const life = new AbortController()
  const { listeners, hear } = laterHeard()
  const { addressed, drawLater } = withUrlOptions(embedded, search)
  const opened = frame.open(addressed, { drawLater, signal: life.signal }, listeners)
  // The page that takes it handles a refusal; without a page, there is nothing to report.
  opened.catch(() => undefined)
  const drop = () => {
    life.abort()
    if (begun?.early === early) begun = undefined
  }
  const early: EarlyOpening = { frame, embedded, startedAt: performance.now(), opened, hear, drop }
  return early
}

/**
 * Returns the report as its frame opens it at a URL. Panel filters are set between loading and
 * drawing, so that a filter whose column the report lacks can be dropped before anything is drawn.
 */
export const withUrlOptions = (embedded: EmbeddedReport, search: URLSearchParams) => ({
  addressed: { ...embedded, pageName: pageIn(search) ?? embedded.pageName },
  drawLater: filtersOf(choiceFrom(search, embedded.operadoraRelatorio)).length > 0,
})

const laterHeard = () => {
  const untold: ((to: FrameListeners) => void)[] = []
  let heard: FrameListeners | undefined
  const tell = (event: (to: FrameListeners) => void) => {
    if (heard) event(heard)
    else untold.push(event)
  }
  const listeners: FrameListeners = {
    onLoaded: () => tell((to) => to.onLoaded()),
    onRenderingStarted: () => tell((to) => to.onRenderingStarted()),
    onRendered: () => tell((to) => to.onRendered()),
    onPageChanged: (pageName) => tell((to) => to.onPageChanged(pageName)),
    onDataSelected: () => tell((to) => to.onDataSelected()),
    onError: (error) => tell((to) => to.onError(error)),
  }
  return {
    listeners,
    hear: (to: FrameListeners) => {
      heard = to
      for (const event of untold) event(to)
    },
  }
}

const sameReport = (one: ReportIds, other: ReportIds | undefined): boolean =>
  one.reportId === other?.reportId && one.idRelatorio === other.idRelatorio

const keyOf = ({ groupId, reportId, idRelatorio }: ReportIds, search: URLSearchParams): string =>
  // The session is part of the key: another user must not get this opening.
  JSON.stringify([currentSession()?.access_token, groupId, reportId, idRelatorio, search.toString()])
