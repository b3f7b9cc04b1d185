/** Characters of JSON kept, about two bytes each. */
const BUDGET = 16_000_000
/** Rules may speak of today: an answer is not kept for long. */
const LIFE_MS = 60_000

/**
 * Keeps the latest answers, least recently used first to go. The key must hold everything that an answer depends on, the
 * identity above all. Callers that ask for the same at the same time share one computation.
 */
export function createPageCache(now: () => number) {
  const entries = new Map<string, { text: string; until: number }>()
  const underWay = new Map<string, Promise<string>>()
  let size = 0

  const forget = (key: string) => {
    size -= entries.get(key)?.text.length ?? 0
    entries.delete(key)
  }
  const keep = (key: string, text: string) => {
    if (text.length > BUDGET / 4) return
    forget(key)
    entries.set(key, { text, until: now() + LIFE_MS })
    size += text.length
    for (const oldest of entries.keys()) {
      if (size <= BUDGET) break
      forget(oldest)
    }
  }

  return async (key: string, compute: () => Promise<string>): Promise<string> => {
    const known = entries.get(key)
    if (known && known.until > now()) {
      entries.delete(key)
      entries.set(key, known)
      return known.text
    }
    const shared = underWay.get(key)
    if (shared) return shared
    const computing = compute()
    underWay.set(key, computing)
    try {
      const text = await computing
      keep(key, text)
      return text
    } finally {
      underWay.delete(key)
    }
  }
}
