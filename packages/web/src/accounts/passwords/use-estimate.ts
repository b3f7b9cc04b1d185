import { useEffect, useState } from 'react'
import type { Estimate } from './estimator.ts'

/** The estimator's code could not be loaded; the password can still be set. */
export const UNAVAILABLE = 'indisponivel'

/** Debounce, so that screen readers announce the strength of the password as typed so far. */
const pauseMs = 250

/** Returns undefined before the first estimate. */
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
  // The previous estimate stays until the next one, so that the bar does not flicker.
  return password ? known?.is : undefined
}
