import { useEffect, useState } from 'react'

/** Returns the current time (ms), updated every 30 seconds unless told otherwise. */
export const useNow = (everyMs = 30_000): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
