import type { Secrets } from '../../platform/config/secrets.ts'
import type { OpenDatabase } from '../../platform/db/open-database.ts'
import type { GuestVisit } from '../../platform/http/callers/guest-visit.ts'
import { isAddressAllowed } from '../../platform/lib/networks.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { fromOpenVisit } from './guests.ts'

interface Options {
  db: OpenDatabase
  secrets: Pick<Secrets, 'digest'>
  now: () => Date
}

/** Returns the digest by which the database knows a visit's credential. */
export const markOfVisit = ({ digest }: Pick<Secrets, 'digest'>, credential: string): string =>
  digest(`visita:${credential}`)

/**
 * Returns a function that finds the open visit of a credential; undefined when it has ended, or when
 * the guest may not visit any more. Reads the rows on each call, so that a revocation, and a change of
 * the rules, the report or the ADMIN who invited, apply to the next one. Throws Problem 403 when guests
 * may not visit from the address.
 */
export const createVisitFinder =
  ({ db, secrets, now }: Options) =>
  async (credential: string, address: string): Promise<GuestVisit | undefined> => {
    const found = await fromOpenVisit(db, markOfVisit(secrets, credential), now())
      .select(['convidado.idConvidado', 'emailConvidado', 'convidado.idRelatorio', 'nomeRelatorio'])
      .select(['marca', 'expiraEm', 'redes'])
      .executeTakeFirst()
    if (!found) return undefined
    const { redes, ...visit } = found
    if (!isAddressAllowed(redes, address)) throw new Problem('rede_de_convidado')
    return visit
  }
