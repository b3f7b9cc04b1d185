import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { markOfVisit } from '../../src/distribution/guests/guest-visits.ts'
import { markOfLink, newLinkToken, newVisitCredential } from '../../src/distribution/guests/invitation.ts'
import type { Tables } from '../../src/platform/db/types.ts'
import type { TestApp } from '../test-app.ts'

type GuestApp = Pick<TestApp, 'db' | 'services'>
type GuestRow = Insertable<Tables['convidado']>

const dayMs = 24 * 3_600_000

/** Switches guests on. */
export const allowGuests = async (
  { db }: Pick<TestApp, 'db'>,
  rules: Partial<Insertable<Tables['convidadoRegras']>> = {},
): Promise<void> => {
  await db
    .updateTable('convidadoRegras')
    .set({ ligado: true, ...rules })
    .execute()
}

/** Switches guests on, and inserts one who may visit for ten days. */
export const createGuest = async (
  { db, services: { now } }: GuestApp,
  fields: Pick<GuestRow, 'idRelatorio' | 'convidadoPor'> & Partial<GuestRow>,
) => {
  await allowGuests({ db })
  return db
    .insertInto('convidado')
    .values({
      emailConvidado: `convidado-${randomUUID()}@exemplo.com.br`,
      motivo: 'Fechamento do mês',
      convidadoEm: now(),
      venceEm: new Date(now().getTime() + 10 * dayMs),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Guest = Pick<Awaited<ReturnType<typeof createGuest>>, 'idConvidado'>

/** Inserts a link that opens a visit, and returns its token. */
export const sentLink = async (
  { db, services: { secrets, now } }: GuestApp,
  { idConvidado }: Guest,
): Promise<string> => {
  const [token, criadoEm] = [newLinkToken(), now()]
  const expiraEm = new Date(criadoEm.getTime() + 15 * 60_000)
  const marca = markOfLink(secrets, token)
  await db.insertInto('convidadoLink').values({ marca, idConvidado, criadoEm, expiraEm }).execute()
  return token
}

/** Inserts an open visit, and returns its credential. */
export const openedVisit = async (
  { db, services: { secrets, now } }: GuestApp,
  { idConvidado }: Guest,
): Promise<string> => {
  const [credencial, iniciadaEm] = [newVisitCredential(), now()]
  const expiraEm = new Date(iniciadaEm.getTime() + 8 * 3_600_000)
  const marca = markOfVisit(secrets, credencial)
  await db.insertInto('convidadoVisita').values({ idConvidado, marca, iniciadaEm, expiraEm }).execute()
  return credencial
}
