import { useEffect, useState } from 'react'
import type { Estimate } from './estimator.ts'

/** The estimate's code could not be fetched; the password can be set all the same. */
export const UNAVAILABLE = 'indisponivel'

/** Waits for a pause in the typing, so that what is read aloud is the password as it stands. */
const pauseMs = 250

/** Undefined while there is nothing to say yet. */
export const useEstimate = (password: string, own: string): Estimate | typeof UNAVAILABLE | undefined => {
  const [known, setKnown] = useState<{ of: string; is: Estimate | typeof UNAVAILABLE }>()
  useEffect(() => {
    if (!password) return setKnown(undefined)
    let isCurrent = true
    const timer = setTimeout(async () => {
      const is = await import('./estimator.ts').then(
        ({ estimate }) => estimate(password, own.split('\n')),
        () => UNAVAILABLE as typeof UNAVAILABLE,
      )
      if (isCurrent) setKnown({ of: password, is })
    }, pauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [password, own])
  // The last one stays while the next is worked out: no flicker at every key.
  return password ? known?.is : undefined
}
