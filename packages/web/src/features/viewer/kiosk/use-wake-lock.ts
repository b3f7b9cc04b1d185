import { useEffect } from 'react'

/** Keeps the screen on while the page is visible, in browsers that can (they need https). */
export const useWakeLock = (): void => {
  useEffect(() => {
    const life = new AbortController()
    const keepOn = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      try {
        const lock = await navigator.wakeLock.request('screen')
        if (life.signal.aborted) await lock.release()
        else life.signal.addEventListener('abort', () => void lock.release(), { once: true })
      } catch {
        // The system may refuse, such as with a low battery: the rotation goes on.
      }
    }
    // The browser releases the lock when the page is hidden.
    document.addEventListener('visibilitychange', () => void keepOn(), { signal: life.signal })
    void keepOn()
    return () => life.abort()
  }, [])
}
