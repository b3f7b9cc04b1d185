import { vi } from 'vitest'
import type { VisualFrame } from './visual-frame.ts'

/** There is no canvas in happy-dom: nothing is painted, and what would be is read from a chart's elements. */
export function paintNothing() {
  const nothingPainted = new Proxy(
    {
      measureText: (text: string) => ({ width: text.length * 6 }),
      createLinearGradient: () => nothingPainted,
    },
    { get: (own, name) => Reflect.get(own, name) ?? (() => undefined), set: () => true },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(nothingPainted as never)
}

/** A visual without a page around it, which would see to the painting once all of its visuals are shown. */
export const onItsOwn = (frame: VisualFrame): VisualFrame => ({
  ...frame,
  show(...given) {
    frame.show(...given)
    frame.paint()
  },
})

/** What a view asks for, each call kept. */
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
})
