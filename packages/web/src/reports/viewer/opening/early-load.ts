import type { EmbeddedReport } from '@bi-manager/contract'
import { choiceFrom } from '../filters/panel-filters.ts'
import { pageIn } from '../filters/report-address.ts'
import { isPaginated } from '../frame/is-paginated.ts'
import type { FrameListeners, OpenReport, ReportFrame } from '../frame/report-frame.ts'

/** A report that its frame loads before its page has mounted. */
export class EarlyLoad {
  readonly frame: ReportFrame
  readonly embedded: EmbeddedReport
  /** When loading started, on the clock of `performance.now()`. */
  readonly startedAt = performance.now()
  readonly opened: Promise<OpenReport>
  readonly #life = new AbortController()
  /** The frame's events until a page listens. */
  readonly #missed: ((to: FrameListeners) => void)[] = []
  #listeners: FrameListeners | undefined

  constructor(frame: ReportFrame, embedded: EmbeddedReport, search: URLSearchParams) {
    this.frame = frame
    this.embedded = embedded
    const { addressed, drawLater } = withUrlOptions(embedded, search)
    this.opened = frame.open(addressed, { drawLater, signal: this.#life.signal }, this.#buffered())
    // The page that takes it handles a refusal; without a page, there is nothing to report.
    this.opened.catch(() => undefined)
  }

  /** Replays the frame's past events to these listeners and forwards later ones. */
  attachListeners(listeners: FrameListeners): void {
    this.#listeners = listeners
    for (const event of this.#missed) event(listeners)
  }

  /** Removes the listeners; the frame stays. */
  drop(): void {
    this.#life.abort()
  }

  #buffered(): FrameListeners {
    const pass = (event: (to: FrameListeners) => void) => {
      if (this.#listeners) event(this.#listeners)
      else this.#missed.push(event)
    }
    return {
      onLoaded: () => pass((to) => to.onLoaded()),
      onRenderingStarted: () => pass((to) => to.onRenderingStarted()),
      onRendered: () => pass((to) => to.onRendered()),
      onPageChanged: (...page) => pass((to) => to.onPageChanged(...page)),
      onDataSelected: (columns) => pass((to) => to.onDataSelected(columns)),
      onIdentityMissing: () => pass((to) => to.onIdentityMissing()),
      onVisualCommand: (...command) => pass((to) => to.onVisualCommand?.(...command)),
      onError: (error) => pass((to) => to.onError(error)),
    }
  }
}

/**
 * Returns the report as its frame opens it at a URL. Panel filters are set between loading and
 * drawing, so that a filter whose column the report lacks can be dropped before anything is drawn.
 */
export const withUrlOptions = (embedded: EmbeddedReport, search: URLSearchParams) => {
  // A paginated report has neither pages nor filters.
  if (isPaginated(embedded)) return { addressed: embedded, drawLater: false }
  return {
    addressed: { ...embedded, pageName: pageIn(search) ?? embedded.pageName },
    drawLater: Object.keys(choiceFrom(search, embedded.filtrosPainel)).length > 0,
  }
}
