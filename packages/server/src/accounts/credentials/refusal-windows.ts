import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { windowSeconds } from './attempt-limits.ts'

/**
 * Returns a function that says whether a key's refusal is the first in its window: only it is
 * audited.
 */
export const createRefusalWindows = (now: () => Date) => {
  const refusals = createBoundedCache<number>(10_000)
  return (key: string): boolean => {
    const time = now().getTime()
    const last = refusals.get(key)
    if (last !== undefined && time - last < windowSeconds * 1000) return false
    refusals.set(key, time)
    return true
  }
}
