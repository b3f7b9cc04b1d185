import { randomBytes, timingSafeEqual } from 'node:crypto'
import { VISIT_PATHS } from '@bi-manager/contract'
import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/config/secrets.ts'

type Digest = Pick<Secrets, 'digest'>

/* The address of an invitation is `guest-digest`: it does nothing but send an e-mail to the guest's own
   address, so it neither expires nor is stored. The digest has 256 bits of a keyed function. */

export const invitationToken = ({ digest }: Digest, idConvidado: number): string =>
  `${idConvidado}.${digest(`convidado:${idConvidado}`)}`

/** Returns the guest whom the address of an invitation names; undefined for a forged one. */
export const guestOfInvitation = (secrets: Digest, token: string): number | undefined => {
  const [, id = ''] = /^(\d{1,9})\.[\w-]{43}$/.exec(token) ?? []
  const expected = Buffer.from(invitationToken(secrets, Number(id)))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected) ? Number(id) : undefined
}

export const invitationAddress = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  secrets: Digest,
  idConvidado: number,
): string => `${publicUrl}${VISIT_PATHS.invitation}?convite=${invitationToken(secrets, idConvidado)}`

/** Returns the address that opens a visit, with that of the invitation for when it has expired. */
export const visitAddress = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  secrets: Digest,
  { idConvidado, token }: { idConvidado: number; token: string },
): string => `${publicUrl}${VISIT_PATHS.link}?token=${token}&convite=${invitationToken(secrets, idConvidado)}`

/** Returns a link's token: 256 random bits. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url')

/** Returns a visit's credential: 256 random bits. */
export const newVisitCredential = (): string => `visita_${randomBytes(32).toString('base64url')}`

/** Returns the digest by which the database knows a link. */
export const markOfLink = ({ digest }: Digest, token: string): string => digest(`visita-link:${token}`)
