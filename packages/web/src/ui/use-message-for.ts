import { useEffect, useState } from 'react'

/** Shows a message for a limited time; showing it again restarts the time. */
export const useMessageFor = (milliseconds: number): [shown: boolean, show: () => void] => {
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (shown === 0) return
    const timer = setTimeout(() => setShown(0), milliseconds)
    return () => clearTimeout(timer)
  }, [shown, milliseconds])
  return [shown > 0, () => setShown((count) => count + 1)]
}
