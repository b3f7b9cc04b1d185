import type { EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import type { PageResult } from '../page-data.ts'
import type { EmbeddedPage } from '../report-state.ts'
import { el } from './dom.ts'
import { createNotice } from './notice.ts'
import { CANVAS, type PageLayout, readingOrder, wholeRows } from './page-layout.ts'
import type { ValueLooks } from './value-looks.ts'
import { createVisualFrame, type VisualFrame } from './visual-frame.ts'

export interface PageActions {
  picked(visual: EmbeddedVisual, data: VisualData, row: number): void
  retry(): void
}

/** The visuals of one page on their canvas. */
export function createPageView(page: EmbeddedPage, looks: ValueLooks, actions: PageActions) {
  const element = el('div', { class: 'canvas' })
  const ordered = readingOrder(page.visuals)
  const whole = wholeRows(ordered)
  const frames: VisualFrame[] = ordered.map((visual, index, all) => {
    // Landmarks of one name could not be told apart.
    const twins = all.slice(0, index).filter(({ title }) => title === visual.title).length
    return createVisualFrame(visual, twins ? `${visual.title} (${twins + 1})` : visual.title, looks, actions)
  })
  element.append(...frames.map((frame) => frame.element))
  let message: HTMLElement | undefined

  const hasCharts = page.visuals.some(({ type }) => type !== 'card' && type !== 'table')

  return {
    element,
    page,
    place(layout: PageLayout) {
      element.classList.toggle('phone', layout.phone)
      element.classList.toggle('two-columns', layout.phone && layout.columns === 2)
      Object.assign(element.style, {
        width: layout.phone ? '' : `${CANVAS.width * layout.x}px`,
        height: layout.phone ? '' : `${CANVAS.height * layout.y}px`,
      })
      frames.forEach((frame, index) => {
        frame.place(layout, layout.columns === 2 && whole[index] === true)
      })
      for (const frame of frames) frame.resize()
    },
    waiting() {
      message?.remove()
      message = undefined
      element.classList.remove('failed')
      for (const frame of frames) frame.waiting()
    },
    async draw(result: PageResult, signal: AbortSignal) {
      const charts = hasCharts ? await import('./chart.ts') : undefined
      if (signal.aborted) return
      for (const frame of frames) {
        const data = result[frame.visual.name]
        // What was not asked for anew stays as it is.
        if (data) frame.show(data, charts)
        else frame.settled()
      }
      alignCards(element)
    },
    fail(title: string, detail: string | undefined, retry: (() => void) | undefined) {
      message = createNotice(title, detail, retry)
      element.classList.add('failed')
      element.append(message)
    },
    dispose() {
      for (const frame of frames) frame.dispose()
      element.remove()
    },
  }
}

/** One size for the values of a row of cards: that of the longest. */
function alignCards(canvas: HTMLElement) {
  const values = [...canvas.querySelectorAll<HTMLElement>('.card-value')]
  const longest = Math.max(0, ...values.map(({ textContent }) => textContent.length))
  const trend = canvas.querySelector('.with-trend') !== null
  for (const value of values) {
    value.style.setProperty('--characters', String(longest))
    value.closest('.card-body')?.classList.toggle('shared-trend', trend)
  }
}
