import { isReachable, onReconnected } from '../../lib/connection.ts'

/**
 * Calls back once, not before `delayMs` and not before somebody looks at the page and the portal can be reached: nobody waits
 * behind a hidden tab.
 * @returns gives it up
 */
export const whenWorthwhile = (delayMs: number, run: () => void): (() => void) => {
  // By the wall clock too: timers sleep with the computer.
  const dueAt = Date.now() + delayMs
  let isDue = false
  const look = () => {
    if (!isDue && Date.now() < dueAt) return
    if (document.visibilityState === 'hidden' || !isReachable()) return
    stop()
    run()
  }
  const timer = setTimeout(() => {
    isDue = true
    look()
  }, delayMs)
  const forgetConnection = onReconnected(look)
  document.addEventListener('visibilitychange', look)
  const stop = () => {
    clearTimeout(timer)
    forgetConnection()
    document.removeEventListener('visibilitychange', look)
  }
  return stop
}
