import { createHash } from 'node:crypto'
import { cacheLookups } from '@bi-manager/telemetry/events'

/** Characters of JSON that are kept, of one to two bytes each. */
const BUDGET = 16_000_000
/** Approximate size of an entry besides its text, so that empty answers count too. */
const ENTRY = 400
/** How long an answer is kept that may depend on the current time. */
const LIFE_MS = 60_000

/**
 * Creates a cache that evicts the least recently used answers. A key must contain all that an
 * answer depends on, above all the identity; only its digest is kept. Simultaneous calls of one
 * owner share a computation, which is aborted when all callers have left. Owners do not share,
 * since a computation waits in its owner's queue: they share its statements instead.
 */
export const createAnswerCache = (now: () => number) => {
  const entries = new Map<string, { text: string; until: number }>()
  const underWay = new Map<string, Shared>()
  let size = 0

  const forget = (key: string) => {
    const known = entries.get(key)
    if (!known) return
    size -= known.text.length + ENTRY
    entries.delete(key)
  }
  const keep = (key: string, text: string, dependsOnTime: boolean) => {
    if (text.length > BUDGET / 4) return
    forget(key)
    entries.set(key, { text, until: dependsOnTime ? now() + LIFE_MS : Number.POSITIVE_INFINITY })
    size += text.length + ENTRY
    for (const oldest of entries.keys()) {
      if (size <= BUDGET) break
      forget(oldest)
    }
  }

  /** Returns the answer that is kept, which becomes the most recently used. */
  const find = (key: string): string | undefined => {
    const known = entries.get(key)
    if (known === undefined || known.until <= now()) return undefined
    entries.delete(key)
    entries.set(key, known)
    return known.text
  }

  function begin(place: string, key: string, { compute, dependsOnTime }: Question): Shared {
    const stop = new AbortController()
    const answer = compute(stop.signal, () => find(key))
      .then((text) => {
        keep(key, text, dependsOnTime)
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

  return async (text: string, question: Question): Promise<string> => {
    const { owner, callerLeft } = question
    const key = createHash('sha256').update(text).digest('base64')
    const known = find(key)
    cacheLookups.publish({ cache: 'report_answer', isHit: known !== undefined })
    if (known !== undefined) return known
    const place = JSON.stringify([owner, key])
    const shared = underWay.get(place) ?? begin(place, key, question)
    shared.waiting++
    const leave = () => {
      shared.waiting--
      if (shared.waiting > 0) return
      forgetShared(place, shared)
      shared.stop.abort()
    }
    callerLeft.addEventListener('abort', leave, { once: true })
    if (callerLeft.aborted) leave()
    try {
      return await shared.answer
    } finally {
      callerLeft.removeEventListener('abort', leave)
    }
  }
}

type Question = {
  owner: string
  /** Aborts when the caller has left. */
  callerLeft: AbortSignal
  /** An answer that may differ at another time is kept for a minute only. */
  dependsOnTime: boolean
  /**
   * Computes the answer. `allCallersLeft` aborts when no caller waits for it any more. `findKept`
   * returns the answer if another owner's computation has stored it while this one waited.
   */
  compute: (allCallersLeft: AbortSignal, findKept: () => string | undefined) => Promise<string>
}
type Shared = { answer: Promise<string>; stop: AbortController; waiting: number }
