import { useEffect } from 'react'

/** Milliseconds between two checks: the system may release the lock, such as with a low battery. */
const everyMs = 60_000

/** Keeps the screen on while the page is visible, in browsers that can (they need https). */
export const useWakeLock = (): void => {
  useEffect(() => {
    const life = new AbortController()
    let lock: WakeLockSentinel | undefined
    const keepOn = async () => {
      const isHeld = lock !== undefined && !lock.released
      if (isHeld || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      try {
        lock = await navigator.wakeLock.request('screen')
        if (life.signal.aborted) await lock.release()
      } catch {
        // The system may refuse: the rotation goes on.
      }
    }
    // The browser releases the lock when the page is hidden.
    document.addEventListener('visibilitychange', () => void keepOn(), { signal: life.signal })
    const timer = setInterval(() => void keepOn(), everyMs)
    void keepOn()
    return () => {
      life.abort()
      clearInterval(timer)
      void lock?.release()
    }
  }, [])
}
