import { type ReportIds, reportInAddress, type UrlParts } from '../../../lib/navigation/report-path.ts'
import { currentSession } from '../../../lib/session/session.ts'
import { withoutInvalid } from '../filters/report-address.ts'
import { FrameStore } from '../frame/frame-store.ts'
import { PrefetchedTokens } from '../tokens/prefetched-tokens.ts'
import { EarlyLoad, withUrlOptions } from './early-load.ts'

/** How long an early load waits for its page to mount (ms). */
const keptMs = 5_000

/**
 * Prepares reports before their pages mount, and owns what outlives a page: the frame, prefetched
 * tokens and at most one early load. A `ReportOpening` takes over from here.
 */
class ReportPreparation {
  readonly frames = new FrameStore()
  readonly tokens = new PrefetchedTokens()
  /** The report of a followed link; the page at its key has not mounted yet. */
  #loading: { key: string; early: EarlyLoad; timer: ReturnType<typeof setTimeout> } | undefined

  /**
   * Prefetches a report while the pointer rests on its link: its token and, in an idle frame of the
   * local service, its definition and rows. Does not count as a view and changes nothing on the
   * screen.
   */
  async prefetch(report: ReportIds, search: URLSearchParams): Promise<void> {
    const embedded = await this.tokens.prefetch(report)
    if (!embedded) return
    const { addressed, drawLater } = withUrlOptions(embedded, withoutInvalid(search))
    // With panel filters the rows are requested later: the report may lack a filter's column.
    if (!drawLater) this.frames.readyFrame?.prefetch(addressed)
  }

  /**
   * Starts loading the report of a URL if its token and a frame are ready, while the portal renders
   * the page around it. Does nothing for the report that is already on the screen.
   */
  loadEarly(from: UrlParts, to: UrlParts): void {
    const address = reportInAddress(to)
    if (!address || isSameReport(address, reportInAddress(from))) return
    this.#drop()
    const frame = this.frames.reserve()
    const embedded = frame && this.tokens.takeArrived(address)
    if (!frame || !embedded) return
    const search = withoutInvalid(new URLSearchParams(to.search))
    const early = new EarlyLoad(frame, embedded, search)
    const timer = setTimeout(() => this.#drop(), keptMs)
    this.#loading = { key: keyOf(address, search), early, timer }
  }

  /** Returns the early load of this URL and removes it. */
  take(address: ReportIds, search: URLSearchParams): EarlyLoad | undefined {
    const loading = this.#loading
    if (loading?.key !== keyOf(address, search)) return undefined
    clearTimeout(loading.timer)
    this.#loading = undefined
    return loading.early
  }

  #drop(): void {
    clearTimeout(this.#loading?.timer)
    this.#loading?.early.drop()
    this.#loading = undefined
  }
}

/** The only one of this tab: the menu prepares reports, and their pages take them. */
export const reportPreparation = new ReportPreparation()

const isSameReport = (one: ReportIds, other: ReportIds | undefined): boolean =>
  one.reportId === other?.reportId && one.idRelatorio === other.idRelatorio

const keyOf = ({ groupId, reportId, idRelatorio }: ReportIds, search: URLSearchParams): string =>
  // The session is part of the key: another user must not get this load.
  JSON.stringify([currentSession()?.access_token, groupId, reportId, idRelatorio, search.toString()])
