import { useEffect, useRef } from 'react'

/** How long a success message stays on the screen. */
export const SUCCESS_MS = 6_000

/**
 * Calls `close` 6 seconds after a success message appeared or was replaced.
 * @param message what identifies it; nothing is closed while it is falsy
 */
export const useSuccessClose = (message: unknown, close: () => void): void => {
  const closeNow = useRef(close)
  closeNow.current = close
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => closeNow.current(), SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [message])
}
