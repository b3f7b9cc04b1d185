import { useEffect, useState } from 'react'

/** A page that is never idle counts as such after this. */
const longestWaitMs = 2_000

/** Whether the page has come to rest once since it was opened: for what must not stand in the way of its start. */
export const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const rest = () => setIdle(true)
    // Safari has none.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(rest, longestWaitMs / 2)
      return () => clearTimeout(timer)
    }
    const handle = window.requestIdleCallback(rest, { timeout: longestWaitMs })
    return () => window.cancelIdleCallback(handle)
  }, [])
  return isIdle
}
