import type { PageResult } from '../page-data.ts'
import { activePage, type ReportState } from '../report-state.ts'
import { el } from './dom.ts'
import type { PageLayout } from './page-layout.ts'
import { createPageView } from './page-view.ts'
import type { VisualActions } from './visual-frame.ts'

/** A page, and the layout that it stands in. */
export interface PlacedPage {
  page: ReturnType<typeof createPageView>
  layout: PageLayout
}

/**
 * The page of a report that is drawn before anybody opens it, out of sight and reach, visual by visual while the frame has nothing
 * else to do. It lies in the panel, in the size of which it is drawn.
 */
export function createPageAhead(panel: HTMLElement, actions: VisualActions) {
  let held: (PlacedPage & { state: ReportState; end: () => void }) | undefined

  const drop = (): void => {
    held?.end()
    held?.page.dispose()
    held = undefined
  }

  return {
    drop,

    /** Takes the place of the one before. Ends, and is given back, with the signal. */
    draw(state: ReportState, result: PageResult, layout: PageLayout, signal: AbortSignal): void {
      drop()
      const page = createPageView(activePage(state), state.report.values ?? {}, actions)
      const place = el('div', { class: 'ahead', inert: true }, page.element)
      panel.append(place)
      const drawing = new AbortController()
      signal.addEventListener('abort', drop, { signal: drawing.signal })
      held = {
        page,
        layout,
        state,
        end: () => {
          drawing.abort()
          place.remove()
        },
      }
      page.place(layout)
      // What fails is drawn, or fails, when the page is opened.
      page.draw(result, drawing.signal, idle).catch(() => {})
    },

    /** Hands it over, as far as it is drawn, where it is what this state shows; another is given back. */
    take(state: ReportState): PlacedPage | undefined {
      const own = held
      if (!own) return undefined
      if (own.state.report !== state.report || contentOf(own.state) !== contentOf(state)) {
        drop()
        return undefined
      }
      held = undefined
      own.end()
      return own
    },
  }
}

/** Which page, and what decides which rows it shows. */
const contentOf = ({ report, settings, zoom, ...content }: ReportState): string => JSON.stringify(content)

/** The frame has nothing else to do: whoever reads what it shows is not held up by more than one visual. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    // Not in every browser.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 200 })
    else setTimeout(resolve, 16)
  })
