import { useEffect, useState } from 'react'

/** A message that goes away by itself; shown again, its time starts anew. */
export const useMessageFor = (milliseconds: number): [shown: boolean, show: () => void] => {
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (shown === 0) return
    const timer = setTimeout(() => setShown(0), milliseconds)
    return () => clearTimeout(timer)
  }, [shown, milliseconds])
  return [shown > 0, () => setShown((count) => count + 1)]
}
