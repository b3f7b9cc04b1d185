import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import { Problem } from '../../lib/problem.ts'
import type { Services } from '../services.ts'

const windowMs = 60_000

/** Calls in the current minute, and the milliseconds left of it. */
interface Counted {
  current: number
  ttl: number
}

/** Counts a call. Returns a promise when it must read the counts of other processes. */
export type CountCall = (key: string) => Counted | Promise<Counted>

/** Counts a call. @throws Problem 429 `muitas_tentativas` above `most` calls a minute */
export const assertFewCalls = async (countCall: CountCall, key: string, most: number): Promise<void> => {
  const { current, ttl } = await countCall(key)
  if (current > most) throw new Problem('muitas_tentativas', { retryAfter: ttl / 1000 })
}

interface Options {
  db: Db
  now: () => Date
  digest: (value: string) => string
  /** Calls of one key between two writes. A person makes fewer a minute and causes no write. */
  shareEvery: number
  onError: (error: unknown) => void
}

interface Minute {
  startedAt: number
  total: number
  /** How many calls of `total` are not yet added to the database. */
  unshared: number
}

/**
 * Counts calls in memory and, for busy keys, adds them up in the database every `shareEvery` calls:
 * so the limit holds across processes and restarts, to within `shareEvery` calls a process
 * (docs/decisions/0019).
 */
export const createCallCounts = ({ db, now, digest, shareEvery, onError }: Options): CountCall => {
  const minutes = createBoundedCache<Minute>(10_000)

  const share = async (key: string, minute: Minute): Promise<void> => {
    const shareable = minute.unshared
    minute.unshared = 0
    const at = now()
    const since = new Date(at.getTime() - windowMs)
    const { rows } = await sql<{ inicio: Date; total: number }>`
      insert into contagem_chamadas as c (chave, inicio, total)
      values (${digest(`chamadas:${key}`)}, ${new Date(minute.startedAt)}, ${shareable}::int)
      on conflict (chave) do update set
        inicio = case when c.inicio between ${since} and ${at} then c.inicio else excluded.inicio end,
        total = excluded.total + case when c.inicio between ${since} and ${at} then c.total else 0 end
      returning inicio, total`.execute(db)
    const [shared] = rows
    // Calls continued during the query; a minute that has ended by now is ignored.
    if (!shared || minutes.get(key) !== minute) return
    minute.startedAt = shared.inicio.getTime()
    minute.total = shared.total + minute.unshared
  }

  return (key) => {
    const time = now().getTime()
    let minute = minutes.get(key)
    if (!minute || time - minute.startedAt >= windowMs || time < minute.startedAt) {
      minute = { startedAt: time, total: 0, unshared: 0 }
      minutes.set(key, minute)
    }
    minute.total += 1
    minute.unshared += 1
    const counted = { minute, time }
    return minute.unshared < shareEvery
      ? asCounted(counted)
      : share(key, minute)
          .catch(onError)
          .then(() => asCounted(counted))
  }
}

/**
 * Returns a function that counts a call of a key.
 * @throws Problem 429 `muitas_tentativas` above `most` calls a minute
 */
export const createCallLimit = (
  { log }: Pick<FastifyInstance, 'log'>,
  { db, now, secrets }: Pick<Services, 'db' | 'now' | 'secrets'>,
  most: number,
): ((key: string) => Promise<void>) => {
  const countCall = createCallCounts({
    db,
    now,
    digest: secrets.digest,
    shareEvery: most / 3,
    onError: (err) => log.warn({ err }, 'the count of calls could not be shared'),
  })
  return (key) => assertFewCalls(countCall, key, most)
}

const asCounted = ({ minute, time }: { minute: Minute; time: number }): Counted => ({
  current: minute.total,
  ttl: minute.startedAt + windowMs - time,
})

/** Returns the store for the rate-limit plugin. */
export const rateLimitStoreOf = (count: CountCall): FastifyRateLimitStoreCtor =>
  class implements FastifyRateLimitStore {
    incr(key: string, done: (error: Error | null, result?: Counted) => void): void {
      const counted = count(key)
      if (counted instanceof Promise) void counted.then((result) => done(null, result))
      else done(null, counted)
    }
    child(): FastifyRateLimitStore {
      return this
    }
  }
