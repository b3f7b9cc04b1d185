import { vi } from 'vitest'
import type { VisualFrame } from '../view/visual/visual-frame.ts'

/** Replaces the missing canvas of happy-dom by a stub; tests read a chart's elements instead. */
export const stubCanvas = () => {
  const nothingPainted = new Proxy(
    {
      measureText: (text: string) => ({ width: text.length * 6 }),
      createLinearGradient: () => nothingPainted,
    },
    { get: (own, name) => Reflect.get(own, name) ?? (() => undefined), set: () => true },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(nothingPainted as never)
}

/** Paints a visual when it is shown; in a report, the page paints all of them together. */
export const paintOnShow = (frame: VisualFrame): VisualFrame => ({
  ...frame,
  show(...given) {
    frame.show(...given)
    frame.paint()
  },
})

/** Mock actions that record the calls of a view. */
export const watchedActions = () => ({
  choosePage: vi.fn(),
  changeFilters: vi.fn(),
  loadValues: vi.fn(),
  applyBookmark: vi.fn(),
  picked: vi.fn(),
  clearPick: vi.fn(),
  drillTo: vi.fn(),
  retry: vi.fn(),
  slice: vi.fn(),
  press: vi.fn(),
  command: vi.fn(),
  caption: () => ({ report: 'Custos', page: 'Geral', dataTime: '', filters: [] }),
})
