import { isReachable, onReconnected } from '../../lib/connection.ts'

interface Options {
  /** Does not wait for the time when the page is looked at again, or the connection is back. */
  isEager?: boolean
}

/**
 * Calls back once, not before `delayMs` and not before somebody looks at the page and the portal can be reached: nobody waits
 * behind a hidden tab.
 * @returns gives it up
 */
export const whenWorthwhile = (
  delayMs: number,
  run: () => void,
  { isEager = false }: Options = {},
): (() => void) => {
  // By the wall clock too: timers sleep with the computer.
  const dueAt = Date.now() + delayMs
  let isDue = false
  const look = () => {
    if (!isDue && Date.now() < dueAt) return
    if (document.visibilityState === 'hidden' || !isReachable()) return
    stop()
    run()
  }
  const resume = () => {
    isDue ||= isEager && document.visibilityState !== 'hidden'
    look()
  }
  const timer = setTimeout(() => {
    isDue = true
    look()
  }, delayMs)
  const forgetConnection = onReconnected(resume)
  document.addEventListener('visibilitychange', resume)
  window.addEventListener('online', resume)
  const stop = () => {
    clearTimeout(timer)
    forgetConnection()
    document.removeEventListener('visibilitychange', resume)
    window.removeEventListener('online', resume)
  }
  return stop
}
