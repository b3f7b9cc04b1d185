import { useEffect, useState } from 'react'

/** Maximum wait in ms; then a busy page counts as idle. */
const longestWaitMs = 2_000

/**
 * Returns whether the page has been idle once since
 * mounting, for work that must not delay its start.
 * @param isDue false while the work is not needed yet
 */
export const useIdle = (isDue = true): boolean => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isDue) return undefined
    const rest = () => setIdle(true)
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(rest, longestWaitMs / 2)
      return () => clearTimeout(timer)
    }
    const handle = window.requestIdleCallback(rest, { timeout: longestWaitMs })
    return () => window.cancelIdleCallback(handle)
  }, [isDue])
  return isIdle
}
