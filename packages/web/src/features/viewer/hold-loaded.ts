import type { OpeningStatus } from './report-opening.ts'

/** The page's own work at `loaded` would compete with the report's drawing, which takes about as long. */
const heldMs = 400

/**
 * Tells what an opening says, but 'carregado' only together with what comes next, or when the drawing takes long: until then
 * the page around the report rests.
 */
export const holdLoaded = (tell: (change: Partial<OpeningStatus>) => void) => {
  let held: Partial<OpeningStatus> = {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (change: Partial<OpeningStatus>) => {
    clearTimeout(timer)
    const whole = { ...held, ...change }
    held = {}
    tell(whole)
  }
  return {
    tell: (change: Partial<OpeningStatus>) => {
      if (change.phase !== 'carregado') return say(change)
      held = change
      timer = setTimeout(() => say({}), heldMs)
    },
    stop: () => clearTimeout(timer),
  }
}
