import type { OpeningStatus } from './opening-status.ts'

/**
 * Rendering the page on `loaded` would compete with the report's drawing, which takes about this
 * long.
 */
const heldMs = 400

/**
 * Forwards the status of an opening, but delays 'carregado' and merges it with the next change, so
 * that the page does not re-render while the report is being drawn.
 */
export const delayLoadedStatus = (notify: (change: Partial<OpeningStatus>) => void) => {
  let held: Partial<OpeningStatus> = {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (change: Partial<OpeningStatus>) => {
    clearTimeout(timer)
    const whole = { ...held, ...change }
    held = {}
    notify(whole)
  }
  return {
    notify: (change: Partial<OpeningStatus>) => {
      if (change.phase !== 'carregado') return say(change)
      held = change
      timer = setTimeout(() => say({}), heldMs)
    },
    stop: () => clearTimeout(timer),
  }
}
