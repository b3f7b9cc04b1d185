import { createBoundedCache } from './bounded-cache.ts'

interface SharedWorkOptions {
  /** Maximum number of kept results. */
  limit: number
  keepMs: number
}

/**
 * Runs equal work once for all callers within `keepMs`: the first caller starts it, the others get
 * the same promise. Failures are not kept.
 */
export const createSharedWork = <T>({ limit, keepMs }: SharedWorkOptions) => {
  const results = createBoundedCache<Promise<T>>(limit)
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const known = results.get(key)
    if (known) return known
    const result = work()
    results.set(key, result)
    const forget = () => {
      if (results.get(key) === result) results.delete(key)
    }
    setTimeout(forget, keepMs).unref()
    result.catch(forget)
    return result
  }
}
