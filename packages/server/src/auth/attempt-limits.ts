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

/** An attempt on the books. */
interface Booking {
  /** For `forgetAttempt` when the password was right. */
  ids: number[]
  /** Seconds until another attempt is taken, where an allowance was used up by those before it. */
  retryAfter: number | undefined
}

/**
 * Books attempts as failed before the passwords are looked at, so that a burst of parallel guesses cannot slip past the
 * count; those of one call count for each other as if they had come one after the other.
 * @param db not a transaction: the attempts must count at once
 * @param attempts the allowances of each
 * @param isRefusalRecorded whether a line of the audit trail is written before an attempt is answered as a failure
 * @returns the bookings, in their order
 */
export const bookAttempts = async (
  db: Db,
  attempts: Allowance[][],
  now: Date,
  { isRefusalRecorded = false } = {},
): Promise<Booking[]> => {
  const since = new Date(now.getTime() - windowSeconds * 1000)
  const keys = attempts.flat().map(({ key }) => key)
  // The disk is waited for once: by the line of the trail, where there is one, which takes what was written before it along. By
  // itself an attempt that is not waited for may be forgotten however old it is: until something else is, nothing puts it there.
  const { rows } = await sql<{ id: number; de: string; total: number; primeira: Date }>`
    /* writes */ select * from reserva_tentativas(${keys}::text[], ${now}::timestamptz, ${since}::timestamptz,
      ${isRefusalRecorded}::boolean) order by id`.execute(db)
  const ofKey = Map.groupBy(rows, ({ de }) => de)
  return attempts.map((allowances) => {
    const booking: Booking = { ids: [], retryAfter: undefined }
    for (const { key, limit } of allowances) {
      const row = ofKey.get(key)?.shift()
      if (!row) throw new Error('An attempt was not booked.')
      booking.ids.push(row.id)
      if (row.total > limit)
        booking.retryAfter ??= windowSeconds - (now.getTime() - row.primeira.getTime()) / 1000
    }
    return booking
  })
}

/**
 * @returns the ids of a booking that was within its allowances
 * @throws Problem `muitas_tentativas` with Retry-After, where it was not: it is forgotten then
 */
export const acceptBooking = async (db: Db, { ids, retryAfter }: Booking): Promise<number[]> => {
  if (retryAfter === undefined) return ids
  // A refused attempt is no failure: the window must be able to run out.
  await forgetAttempt(db, ids)
  throw new Problem('muitas_tentativas', { retryAfter })
}

/** Books one attempt whose failure leaves no line in the audit trail. As `bookAttempts` and `acceptBooking`. */
export const bookAttempt = async (db: Db, allowances: Allowance[], now: Date): Promise<number[]> => {
  const [booking] = await bookAttempts(db, [allowances], now)
  return booking ? acceptBooking(db, booking) : []
}

export const forgetAttempt = async (db: Db, ids: number[]): Promise<void> => {
  await sql`delete from falha_login where id_falha = any(${ids}::bigint[])`.execute(db)
}

/**
 * One key for all spellings that the database takes for one name. Its case rules are those of its locale, so it folds first;
 * what two of its ways to compare (e-mail, name) tell apart is one here.
 * @param folded by `sem_acento`
 */
export const foldFurther = (folded: string): string =>
  folded.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

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
