import type { EmbeddedReport } from '@bi-manager/contract'
import { type ReportIds, reportInAddress } from '../../lib/report-path.ts'
import { currentSession } from '../../lib/session.ts'
import { frameAhead, readyFrame } from './frame-place.ts'
import { choiceFrom, filtersOf } from './panel-filters.ts'
import { pageIn, withoutInvalid } from './report-address.ts'
import type { FrameListeners, OpenReport, ReportFrame } from './report-frame.ts'
import { prefetchToken, takeTokenAtHand } from './token-prefetch.ts'

/** A page that has not come by now will not (ms). */
const keptMs = 5_000

/** A report that its frame loads while its page is still being made. */
export interface EarlyOpening {
  frame: ReportFrame
  embedded: EmbeddedReport
  /** On the clock of `performance.now()`. */
  startedAt: number
  opened: Promise<OpenReport>
  /** What the frame has said so far, at once, and says from now on. */
  hear: (listeners: FrameListeners) => void
  drop: () => void
}

interface Place {
  pathname: string
  search: string
}

let begun: { key: string; early: EarlyOpening; timer: ReturnType<typeof setTimeout> } | undefined

/**
 * Begins to load the report that an address shows, where its token and a frame are at hand: the frame then works while the
 * portal makes the page around it. Nothing is begun for the report that is on the screen.
 */
export const openEarly = (from: Place, to: Place): void => {
  const address = reportInAddress(to)
  if (!address || sameReport(address, reportInAddress(from))) return
  begun?.early.drop()
  const frame = frameAhead()
  const embedded = frame && takeTokenAtHand(address)
  if (!frame || !embedded) return
  const { search } = withoutInvalid(new URLSearchParams(to.search))
  const early = begin(frame, embedded, search)
  begun = { key: keyOf(address, search), early, timer: setTimeout(early.drop, keptMs) }
}

/**
 * Asks for what opening a report takes while somebody rests on its link: its token, and, where a frame of our own service has
 * nothing else to do, its definition and rows. Nothing of it is a view, or shows.
 */
export const prefetchReport = async (report: ReportIds, search: URLSearchParams): Promise<void> => {
  const embedded = await prefetchToken(report)
  if (!embedded) return
  const { addressed, drawLater } = asAddressed(embedded, withoutInvalid(search).search)
  // What is drawn later is asked for later, with filters that the report may lack.
  if (!drawLater) readyFrame()?.prefetch(addressed)
}

/** What was begun for this address, once. */
export const takeEarly = (address: ReportIds, search: URLSearchParams): EarlyOpening | undefined => {
  if (begun?.key !== keyOf(address, search)) return undefined
  const { early, timer } = begun
  clearTimeout(timer)
  begun = undefined
  return early
}

const begin = (frame: ReportFrame, embedded: EmbeddedReport, search: URLSearchParams): EarlyOpening => {
  const life = new AbortController()
  const { listeners, hear } = laterHeard()
  const { addressed, drawLater } = asAddressed(embedded, search)
  const opened = frame.open(addressed, { drawLater, signal: life.signal }, listeners)
  // Whoever adopts it hears of a refusal; where nobody does, nobody misses the report.
  opened.catch(() => undefined)
  const drop = () => {
    life.abort()
    if (begun?.early === early) begun = undefined
  }
  const early: EarlyOpening = { frame, embedded, startedAt: performance.now(), opened, hear, drop }
  return early
}

/**
 * A report as its frame is to open it at an address. Chosen filters go in between loading and drawing, where one that the
 * report lacks costs nothing.
 */
export const asAddressed = (embedded: EmbeddedReport, search: URLSearchParams) => ({
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
  // What was begun for one person is not for the next.
  JSON.stringify([currentSession()?.access_token, groupId, reportId, idRelatorio, search.toString()])
