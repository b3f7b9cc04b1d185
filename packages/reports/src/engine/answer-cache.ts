import { createHash } from 'node:crypto'
import { cacheLookups } from '@bi-manager/telemetry/events'

/** Characters of JSON kept, of one to two bytes. */
const BUDGET = 16_000_000
/** What an entry takes beside its text, about: many empty answers are not for nothing. */
const ENTRY = 400
/** Rules may speak of today: an answer is not kept for long. */
const LIFE_MS = 60_000

/**
 * Keeps the latest answers, least recently used first to go. The key must hold everything that an answer depends on, the
 * identity above all; it may be long, since what is kept of it is a digest. Calls of one owner that ask for the same at the same time share one computation (with the time that
 * it has left), which is told to stop when the last of them has gone. Owners do not share it: it waits in its owner's queue.
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
  /** Who asks after the last one left starts anew, and does not join what is being stopped. */
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

/** `compute` is told through its signal when nobody waits for the answer any more. */
type Question = {
  owner: string
  /** Aborts when this caller has gone. */
  caller: AbortSignal
  compute: (nobodyWaits: AbortSignal) => Promise<string>
}
type Shared = { answer: Promise<string>; stop: AbortController; waiting: number }
