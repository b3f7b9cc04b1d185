import { vi } from 'vitest'

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
