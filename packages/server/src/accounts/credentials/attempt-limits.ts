import { emailKey, plainLetters } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { Problem } from '../../platform/lib/problem.ts'

export const windowSeconds = 15 * 60

/** One counter of failures. Keys are digests: neither names nor addresses are stored. */
export interface Allowance {
  key: string
  /** Failures in the window before 429; attempts in progress count as failures. */
  limit: number
}

interface BookingOptions {
  /** Whether an audit line is written before a failure is answered. */
  isRefusalRecorded?: boolean
  /** Called before the 429, with the first allowance. */
  onRefusal?: (allowance: Allowance) => Promise<unknown>
}

/**
 * Books an attempt as a failure before the secret is checked, so that concurrent guesses cannot
 * exceed the limit.
 * @param db not a transaction: other processes must see the attempt at once
 * @returns the ids of the booked rows
 * @throws Problem 429 `muitas_tentativas` with Retry-After, when earlier attempts used a limit up
 */
export const bookAttempt = async (
  db: Db,
  allowances: Allowance[],
  now: Date,
  { isRefusalRecorded = false, onRefusal }: BookingOptions = {},
): Promise<number[]> => {
  const since = new Date(now.getTime() - windowSeconds * 1000)
  const keys = allowances.map(({ key }) => key)
  // With an audit line, this commit need not wait for the disk: the line's commit flushes both.
  // Without one it must wait itself, or a crash could lose the attempt.
  const { rows } = await sql<{ id: number; de: string; total: number; primeira: Date }>`
    /* writes */ select * from reserva_tentativas(
      ${keys}::text[], ${now}::timestamptz, ${since}::timestamptz, ${isRefusalRecorded}::boolean)`.execute(db)
  const ids = rows.map(({ id }) => id)
  const exceeded = allowances.flatMap(({ key, limit }) =>
    rows.filter(({ de, total }) => de === key && total > limit),
  )[0]
  if (!exceeded) return ids
  // A refused attempt does not count as a failure, so that the window can run out.
  await forgetAttempt(db, ids)
  const [first] = allowances
  if (first) await onRefusal?.(first)
  const retryAfter = windowSeconds - (now.getTime() - exceeded.primeira.getTime()) / 1000
  throw new Problem('muitas_tentativas', { retryAfter })
}

/** Books an attempt as `bookAttempt` does. @returns false when earlier attempts used a limit up */
export const isWithinLimits = (db: Db, allowances: Allowance[], now: Date): Promise<boolean> =>
  bookAttempt(db, allowances, now).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem && error.codigo === 'muitas_tentativas') return false
      throw error
    },
  )

/** An attempt in progress. It counts as a failure until it is forgotten. */
export interface Attempt {
  /** Counts it against more limits. @throws Problem 429 */
  book: (allowances: Allowance[]) => Promise<void>
  /** Call it when the secret was right, in the transaction that uses this. */
  forget: (tx: Db) => Promise<void>
}

/**
 * Runs work that checks a secret as one attempt: booked before, and forgotten by the work when the
 * secret was right. When the work fails, the attempt stays a failure.
 * @param isFailure false for an error without a wrong secret: the attempt is then forgotten
 * @throws Problem 429
 */
export const withAttempt = async <T>(
  { db, now }: { db: Db; now: () => Date },
  {
    allowances,
    isFailure = () => true,
    ...options
  }: BookingOptions & { allowances: Allowance[]; isFailure?: (error: unknown) => boolean },
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> => {
  const ids: number[] = []
  const attempt: Attempt = {
    book: async (more) => void ids.push(...(await bookAttempt(db, more, now(), options))),
    forget: (tx) => forgetAttempt(tx, ids),
  }
  await attempt.book(allowances)
  try {
    return await work(attempt)
  } catch (error) {
    if (!isFailure(error)) await attempt.forget(db)
    throw error
  }
}

const forgetAttempt = async (db: Db, ids: number[]): Promise<void> => {
  await sql`delete from falha_login where id_falha = any(${ids}::bigint[])`.execute(db)
}

/**
 * Returns one key for all spellings that the database considers equal. The database folds first,
 * because its case rules depend on the locale; this folds what its comparisons of names and e-mails
 * treat differently.
 * @param folded the name after the SQL function `sem_acento`
 */
export const foldName = (folded: string): string => plainLetters(folded)

/** Returns the e-mail as it counts for limits: `ana+1@…` and `Ana@…` reach the same mailbox. */
export const mailboxOf = (email: string): string => emailKey(email).replace(/\+.*(?=@)/, '')
