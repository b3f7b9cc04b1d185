import { isReachable, onReconnected } from '../../../lib/api/connection.ts'

interface Options {
  /** Runs before the delay when the tab becomes visible again or the connection is back. */
  isEager?: boolean
}

/**
 * Calls `run` once: after `delayMs`, and only while the tab is visible and the portal reachable.
 * @returns a function that cancels it
 */
export const runWhenVisibleAndOnline = (
  delayMs: number,
  run: () => void,
  { isEager = false }: Options = {},
): (() => void) => {
  // Also checked on the wall clock, because timers stop while the computer sleeps.
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
