import { useEffect, useState } from 'react'
import { serverNow } from '../lib/clock/server-clock.ts'

/** Returns the server's current time (ms), updated every 30 seconds by default. */
export const useNow = (everyMs = 30_000): number => {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
