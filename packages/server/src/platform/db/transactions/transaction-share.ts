import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../lib/problem.ts'
import type { PoolState } from '../drivers/pool-state.ts'
import { LOCK_WAIT } from '../drivers/unwritable.ts'
import type { Db } from '../open-database.ts'

/** Of ten connections, those that transactions may hold. The others are for single statements. */
const share = 0.6
/** Milliseconds that a transaction waits for one of them: thirty invitations at once queue for the names. */
const patience = 10_000

const places = new WeakMap<object, { taken: number; waiting: (() => void)[] }>()

/**
 * Runs a transaction on one of the connections that transactions may hold: those that wait for a
 * locked table would otherwise hold every connection, and each other call would fail.
 * @throws Problem 503 when none came free in time
 */
export const inShare = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  const limit = ((db as { pool?: () => PoolState }).pool?.().limit ?? 1) * share
  // The embedded database has one connection, which every statement waits for.
  if (limit < 1) return work()
  const known = places.get(db) ?? { taken: 0, waiting: [] }
  places.set(db, known)
  if (known.taken < limit) known.taken += 1
  else await waitForPlace(known.waiting)
  try {
    return await work()
  } finally {
    const next = known.waiting.shift()
    // The place passes on without being free in between.
    if (next) next()
    else known.taken -= 1
  }
}

const waitForPlace = async (waiting: (() => void)[]): Promise<void> => {
  const given = Promise.withResolvers<true>()
  const take = () => given.resolve(true)
  waiting.push(take)
  const isOver = new AbortController()
  const late = setTimeout(patience, false, { signal: isOver.signal }).catch(() => false)
  const isGiven = await Promise.race([given.promise, late])
  isOver.abort()
  if (isGiven) return
  const place = waiting.indexOf(take)
  // Given in the same moment.
  if (place < 0) return
  waiting.splice(place, 1)
  // The code of those that hold the places, so that the log tells of both once.
  const cause = Object.assign(new Error('No place for a transaction came free in time.'), { code: LOCK_WAIT })
  throw new Problem('servico_indisponivel', { detail: BUSY, retryAfter: 5, cause })
}

/** The sentence of a call that waited too long for data, or for a connection. */
export const BUSY =
  'Os dados estão em uso por outras operações, e esta esperou demais: ela não foi concluída. Tente novamente em instantes.'
