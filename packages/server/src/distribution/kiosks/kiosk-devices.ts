import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { OpenDatabase } from '../../platform/db/open-database.ts'
import { noteLastUse } from '../../platform/db/queries/note-last-use.ts'
import type { KioskDevice } from '../../platform/http/callers/kiosk-device.ts'
import { isAddressAllowed } from '../../platform/lib/networks.ts'
import { Problem } from '../../platform/lib/problem.ts'

interface Options {
  db: OpenDatabase
  secrets: Pick<Secrets, 'digest'>
  config: Pick<Config, 'signInNetworks'>
  now: () => Date
}

/** Milliseconds between two notes of when a screen was last seen. */
const seenMs = 60_000

/** Returns the digest by which the database knows a screen's credential. */
export const markOfCredential = ({ digest }: Pick<Secrets, 'digest'>, credential: string): string =>
  digest(`telao:${credential}`)

/**
 * Returns a function that finds the connected screen of a credential; undefined when it was revoked
 * or has expired. Reads the row on each call, so that a revocation applies to the next one. Throws
 * Problem 403 when the kiosk may not be shown at the address.
 */
export const createKioskFinder =
  ({ db, secrets, config, now }: Options) =>
  async (credential: string, address: string): Promise<KioskDevice | undefined> => {
    const marca = markOfCredential(secrets, credential)
    const time = now()
    const screen = await db
      .selectFrom('telaoTela')
      .innerJoin('telao', 'telao.idTelao', 'telaoTela.idTelao')
      .innerJoin('configuracao', (join) => join.onTrue())
      .select(['telaoTela.idTelao', 'vistaEm', 'redes', 'redesAdmin', 'redesUsuario'])
      .where('marca', '=', marca)
      .where('expiraEm', '>', time)
      .executeTakeFirst()
    if (!screen) return undefined
    const { idTelao, vistaEm } = screen
    // Before the note: an ADMIN must not take the screen for one that shows the kiosk.
    if (!isShownAt(screen, address, config)) throw new Problem('rede_de_telao')
    if (!vistaEm || Math.abs(time.getTime() - vistaEm.getTime()) >= seenMs) {
      const note = db.updateTable('telaoTela').set({ vistaEm: time }).where('marca', '=', marca)
      await noteLastUse(db, () => note.execute())
    }
    return { idTelao, marca }
  }

interface Networks {
  redes: string[]
  redesAdmin: string[]
  redesUsuario: string[]
}

/** A kiosk without networks is shown where people of at least one role may use the portal. */
const isShownAt = (
  { redes, redesAdmin, redesUsuario }: Networks,
  address: string,
  { signInNetworks }: Options['config'],
): boolean => {
  if (redes.length > 0) return isAddressAllowed(redes, address)
  return !signInNetworks || [redesAdmin, redesUsuario].some((role) => isAddressAllowed(role, address))
}
