import type { PageResult } from '../../session/page-data.ts'
import { activePage, type ReportState } from '../../state/report-state.ts'
import type { PageLayout } from '../layout/page-layout.ts'
import { el } from '../style/dom.ts'
import type { VisualActions } from '../visual/visual-frame.ts'
import { createPageView } from './page-view.ts'

/**
 * Draws a report's page before it is opened: invisible, inert, one visual per idle period. It is in
 * the panel, so that it is drawn at its final size.
 */
export const createPrefetchedPage = (panel: HTMLElement, actions: VisualActions) => {
  type Held = { page: ReturnType<typeof createPageView>; layout: PageLayout; state: ReportState }
  let held: (Held & { end: () => void }) | undefined

  const drop = (): void => {
    held?.end()
    held?.page.dispose()
    held = undefined
  }

  return {
    drop,

    /** Draws a page instead of the previous one. The signal ends it and removes it. */
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
      // Errors are ignored: the visuals are drawn, or fail, when the page is opened.
      page.draw(result, drawing.signal, idle).catch(() => {})
    },

    /** Returns the page, drawn so far, if it matches this state; discards it otherwise. */
    take(state: ReportState): Held | undefined {
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

/** The part of the state that decides page and rows. */
const contentOf = ({ report, settings, zoom, ...content }: ReportState): string => JSON.stringify(content)

/** Waits for an idle frame, so that at most one visual delays the reader's actions. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    // Some browsers lack it.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 200 })
    else setTimeout(resolve, 16)
  })
