/** Creates a map that drops its oldest entries beyond `limit`. */
export const createBoundedCache = <V>(limit: number) => {
  const entries = new Map<string, V>()
  return {
    get: (key: string): V | undefined => entries.get(key),
    set: (key: string, value: V): void => {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= limit) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
    delete: (key: string): void => void entries.delete(key),
  }
}
