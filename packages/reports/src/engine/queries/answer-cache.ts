import { createHash } from 'node:crypto'
import { cacheLookups } from '@bi-manager/telemetry/events'

/** Characters of JSON that are kept, of one to two bytes each. */
const BUDGET = 16_000_000
/** Approximate size of an entry besides its text, so that empty answers count too. */
const ENTRY = 400
/** Rules may depend on the current date, so answers expire soon. */
const LIFE_MS = 60_000

/**
 * Creates a cache that evicts the least recently used answers. A key must contain all that an
 * answer depends on, above all the identity; only its digest is kept. Simultaneous calls of one
 * owner share a computation, which is aborted when all callers have left. Owners do not share,
 * since a computation waits in its owner's queue.
 */
export function createAnswerCache(now: () => number) {
  const entries = new Map<string, { text: string; until: number }>()
  const underWay = new Map<string, Shared>()
  let size = 0

  const forget = (key: string) => {
    const known = entries.get(key)
    if (!known) return
    size -= known.text.length + ENTRY
    entries.delete(key)
  }
  const keep = (key: string, text: string) => {
    if (text.length > BUDGET / 4) return
    forget(key)
    entries.set(key, { text, until: now() + LIFE_MS })
    size += text.length + ENTRY
    for (const oldest of entries.keys()) {
      if (size <= BUDGET) break
      forget(oldest)
    }
  }

  function begin(place: string, key: string, compute: Question['compute']): Shared {
    const stop = new AbortController()
    const answer = compute(stop.signal)
      .then((text) => {
        keep(key, text)
        return text
      })
      .finally(() => forgetShared(place, shared))
    const shared: Shared = { answer, stop, waiting: 0 }
    underWay.set(place, shared)
    return shared
  }
  /** A later caller starts a new computation instead of joining an aborted one. */
  const forgetShared = (place: string, shared: Shared) => {
    if (underWay.get(place) === shared) underWay.delete(place)
  }

  return async (question: string, { owner, caller, compute }: Question): Promise<string> => {
    const key = createHash('sha256').update(question).digest('base64')
    const known = entries.get(key)
    const isHit = known !== undefined && known.until > now()
    cacheLookups.publish({ cache: 'report_answer', isHit })
    if (isHit) {
      entries.delete(key)
      entries.set(key, known)
      return known.text
    }
    const place = JSON.stringify([owner, key])
    const shared = underWay.get(place) ?? begin(place, key, compute)
    shared.waiting++
    const leave = () => {
      shared.waiting--
      if (shared.waiting > 0) return
      forgetShared(place, shared)
      shared.stop.abort()
    }
    caller.addEventListener('abort', leave, { once: true })
    if (caller.aborted) leave()
    try {
      return await shared.answer
    } finally {
      caller.removeEventListener('abort', leave)
    }
  }
}

/** `compute` gets a signal that aborts when all callers have left. */
type Question = {
  owner: string
  /** Aborts when this caller has left. */
  caller: AbortSignal
  compute: (nobodyWaits: AbortSignal) => Promise<string>
}
type Shared = { answer: Promise<string>; stop: AbortController; waiting: number }
