import type { KioskDevice } from '../access/kiosk-device.ts'
import type { Secrets } from '../config/secrets.ts'
import type { OpenDatabase } from '../db/open-database.ts'

interface Options {
  db: OpenDatabase
  secrets: Pick<Secrets, 'digest'>
  now: () => Date
}

/** Milliseconds between two notes of when a screen was last seen. */
const seenMs = 60_000

/** Returns the digest by which the database knows a screen's credential. */
export const markOfCredential = ({ digest }: Pick<Secrets, 'digest'>, credential: string): string =>
  digest(`telao:${credential}`)

/**
 * Returns a function that finds the connected screen of a credential; undefined when it was revoked
 * or has expired. Reads the row on each call, so that a revocation applies to the next one.
 */
export const createKioskFinder =
  ({ db, secrets, now }: Options) =>
  async (credential: string): Promise<KioskDevice | undefined> => {
    const marca = markOfCredential(secrets, credential)
    const time = now()
    const screen = await db
      .selectFrom('telaoTela')
      .select(['idTelao', 'vistaEm'])
      .where('marca', '=', marca)
      .where('expiraEm', '>', time)
      .executeTakeFirst()
    if (!screen) return undefined
    const { idTelao, vistaEm } = screen
    if (!vistaEm || Math.abs(time.getTime() - vistaEm.getTime()) >= seenMs) {
      await db.updateTable('telaoTela').set({ vistaEm: time }).where('marca', '=', marca).execute()
    }
    return { idTelao, marca }
  }
