import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { Problem } from '../problem.ts'

export const windowSeconds = 15 * 60

/** One thing that failures are counted for. Keys are digests: neither names nor addresses are kept. */
export interface Allowance {
  key: string
  /** Failures in the window before 429; attempts under way count as failures. */
  limit: number
}

/**
 * Books an attempt as failed before the password is looked at, so that a burst of parallel guesses cannot slip past the
 * count, and refuses it when one of its allowances was used up by those before it.
 * @param db not a transaction: the attempt must count at once
 * @param isRefusalRecorded whether a line of the audit trail is written before the attempt is answered as a failure
 * @returns the ids of the booking, for `forgetAttempt` when the password was right
 * @throws Problem `muitas_tentativas` with Retry-After
 */
export const bookAttempt = async (
  db: Db,
  allowances: Allowance[],
  now: Date,
  { isRefusalRecorded = false } = {},
): Promise<number[]> => {
  const since = new Date(now.getTime() - windowSeconds * 1000)
  const keys = allowances.map(({ key }) => key)
  // The disk is waited for once: by the line of the trail, where there is one, which takes what was written before it along. By
  // itself an attempt that is not waited for may be forgotten however old it is: until something else is, nothing puts it there.
  const { rows: counts } = await sql<{ id: number; de: string; total: number; primeira: Date }>`
    select * from reserva_tentativas(${keys}::text[], ${now}::timestamptz, ${since}::timestamptz,
      ${isRefusalRecorded}::boolean)`.execute(db)
  const ids = counts.map(({ id }) => id)
  const exceeded = counts.find(({ de, total }) =>
    allowances.some(({ key, limit }) => key === de && total > limit),
  )
  if (!exceeded) return ids
  // A refused attempt is no failure: the window must be able to run out.
  await forgetAttempt(db, ids)
  const retryAfter = windowSeconds - (now.getTime() - exceeded.primeira.getTime()) / 1000
  throw new Problem('muitas_tentativas', { retryAfter })
}

export const forgetAttempt = async (db: Db, ids: number[]): Promise<void> => {
  await sql`delete from falha_login where id_falha = any(${ids}::bigint[])`.execute(db)
}

/** One key for all spellings that the database takes for the same name. */
export const foldName = (typed: string): string =>
  typed.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** What one subscriber has: an IPv4 address, or the /64 network of an IPv6 one, of which anybody holds 2^64 addresses. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':').toLowerCase()
}
