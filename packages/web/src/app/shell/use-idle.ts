import { useEffect, useState } from 'react'

/** A page that is never idle counts as such after this. */
const longestWaitMs = 2_000

/**
 * Whether the page has come to rest once since it was opened: for what must not stand in the way of its start.
 * @param isDue false while that for which it is asked is still to come
 */
export const useIdle = (isDue = true): boolean => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isDue) return undefined
    const rest = () => setIdle(true)
    // Safari has none.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(rest, longestWaitMs / 2)
      return () => clearTimeout(timer)
    }
    const handle = window.requestIdleCallback(rest, { timeout: longestWaitMs })
    return () => window.cancelIdleCallback(handle)
  }, [isDue])
  return isIdle
}
