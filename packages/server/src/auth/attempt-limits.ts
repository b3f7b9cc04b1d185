import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { Problem } from '../lib/problem.ts'

export const windowSeconds = 15 * 60

/** One counter of failures. Keys are digests: neither names nor addresses are stored. */
export interface Allowance {
  key: string
  /** Failures in the window before 429; attempts in progress count as failures. */
  limit: number
}

/** A booked attempt. */
interface Booking {
  /** The rows to delete with `forgetAttempt` when the password was right. */
  ids: number[]
  /** Seconds until the next attempt is accepted, when earlier ones used the limit up. */
  retryAfter: number | undefined
}

/**
 * Books attempts as failures before the passwords are checked, so that concurrent guesses cannot
 * exceed the limit; attempts of one call count in order, like consecutive ones.
 * @param db not a transaction: other processes must see the attempts at once
 * @param attempts the allowances of each attempt
 * @param isRefusalRecorded whether an audit line is written before a failure is answered
 * @returns the bookings, in the order of `attempts`
 */
export const bookAttempts = async (
  db: Db,
  attempts: Allowance[][],
  now: Date,
  { isRefusalRecorded = false } = {},
): Promise<Booking[]> => {
  const since = new Date(now.getTime() - windowSeconds * 1000)
  const keys = attempts.flat().map(({ key }) => key)
  // With an audit line, this commit need not wait for the disk: the line's commit flushes both.
  // Without one it must wait itself, or a crash could lose the attempt.
  const { rows } = await sql<{ id: number; de: string; total: number; primeira: Date }>`
    /* writes */ select * from reserva_tentativas(${keys}::text[], ${now}::timestamptz, ${since}::timestamptz,
      ${isRefusalRecorded}::boolean) order by id`.execute(db)
  const ofKey = Map.groupBy(rows, ({ de }) => de)
  return attempts.map((allowances) => {
    const booking: Booking = { ids: [], retryAfter: undefined }
    for (const { key, limit } of allowances) {
      const row = ofKey.get(key)?.shift()
      if (!row) throw new Error('The database did not book an attempt.')
      booking.ids.push(row.id)
      if (row.total > limit)
        booking.retryAfter ??= windowSeconds - (now.getTime() - row.primeira.getTime()) / 1000
    }
    return booking
  })
}

/**
 * Accepts a booking within its allowances; deletes any other.
 * @returns the ids of the booked rows
 * @throws Problem 429 `muitas_tentativas` with Retry-After
 */
export const acceptBooking = async (db: Db, { ids, retryAfter }: Booking): Promise<number[]> => {
  if (retryAfter === undefined) return ids
  // A refused attempt does not count as a failure, so that the window can run out.
  await forgetAttempt(db, ids)
  throw new Problem('muitas_tentativas', { retryAfter })
}

/** Books one attempt whose failure writes no audit line. See `bookAttempts` and `acceptBooking`. */
export const bookAttempt = async (db: Db, allowances: Allowance[], now: Date): Promise<number[]> => {
  const [booking] = await bookAttempts(db, [allowances], now)
  return booking ? acceptBooking(db, booking) : []
}

export const forgetAttempt = async (db: Db, ids: number[]): Promise<void> => {
  await sql`delete from falha_login where id_falha = any(${ids}::bigint[])`.execute(db)
}

/**
 * Returns one key for all spellings that the database considers equal. The database folds first,
 * because its case rules depend on the locale; this folds what its comparisons of names and e-mails
 * treat differently.
 * @param folded the name after the SQL function `sem_acento`
 */
export const foldName = (folded: string): string =>
  folded.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
