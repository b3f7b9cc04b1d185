import { sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'
import { Problem } from '../../problem.ts'

export const windowSeconds = 15 * 60
/**
 * Failures in the window before 429; attempts under way count as failures. A known device has an allowance of its own, so
 * nobody can lock its owner out.
 */
export const limits = { account: 20, device: 20, address: 100 }

/** Keys are digests: neither names nor addresses are kept. */
export interface AttemptKeys {
  /** The account, or the account on a device it knows. */
  who: string
  limit: number
  address: string
}

/**
 * Books an attempt as failed before the password is looked at, so that a burst of parallel guesses cannot slip past the
 * count, and refuses it when the account or the address has used up its failures.
 * @returns the ids of the booking, for `forgetAttempt` when the password was right
 * @throws Problem `muitas_tentativas` with Retry-After
 */
export const bookAttempt = async (
  db: Db,
  { who, limit, address }: AttemptKeys,
  now: Date,
): Promise<number[]> => {
  const since = new Date(now.getTime() - windowSeconds * 1000)
  const booked = await db
    .insertInto('falhaLogin')
    .values([
      { chave: who, em: now },
      { chave: address, em: now },
    ])
    .returning('idFalha')
    .execute()
  const ids = booked.map(({ idFalha }) => idFalha)
  const counts = await db
    .selectFrom('falhaLogin')
    .select(['chave', sql<number>`count(*)`.as('total'), sql<Date>`min(em)`.as('first')])
    .where('chave', 'in', [who, address])
    .where('em', '>', since)
    .groupBy('chave')
    .execute()
  const allowed = (chave: string) => (chave === who ? limit : limits.address)
  const exceeded = counts.find(({ chave, total }) => total > allowed(chave))
  if (!exceeded) return ids
  // A refused attempt is no failure: the window must be able to run out.
  await forgetAttempt(db, ids)
  const retryAfter = windowSeconds - (now.getTime() - exceeded.first.getTime()) / 1000
  throw new Problem('muitas_tentativas', { retryAfter })
}

export const forgetAttempt = async (db: Db, ids: number[]): Promise<void> => {
  await db.deleteFrom('falhaLogin').where('idFalha', 'in', ids).execute()
}

/** Drops what no window reaches any more. */
export const pruneAttempts = async (db: Db, now: Date): Promise<void> => {
  await db
    .deleteFrom('falhaLogin')
    .where('em', '<', new Date(now.getTime() - windowSeconds * 1000))
    .execute()
}
