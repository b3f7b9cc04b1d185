import { timingSafeEqual } from 'node:crypto'
import { UNSUBSCRIBE_PATH } from '@bi-manager/contract'
import type { Config } from '../../../platform/config/config.ts'
import type { Secrets } from '../../../platform/config/secrets.ts'

export interface Membership {
  idAssinatura: number
  idUsuario: number
}

/* The token is `subscription-person-digest`: it does nothing but end one person's subscription, so
   it neither expires nor is stored. The digest has 256 bits of a keyed function. */

export const unsubscribeToken = ({ digest }: Secrets, { idAssinatura, idUsuario }: Membership): string =>
  `${idAssinatura}.${idUsuario}.${digest(`assinatura-saida:${idAssinatura}:${idUsuario}`)}`

/** Returns whose subscription the token ends; undefined for a forged one. */
export const membershipOf = (secrets: Secrets, token: string): Membership | undefined => {
  const [, subscription = '', person = ''] = /^(\d{1,9})\.(\d{1,9})\.[\w-]{43}$/.exec(token) ?? []
  const membership = { idAssinatura: Number(subscription), idUsuario: Number(person) }
  const expected = Buffer.from(unsubscribeToken(secrets, membership))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected) ? membership : undefined
}

/** Returns the addresses for mail programs (RFC 8058) and for people. */
export const unsubscribeAddresses = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  secrets: Secrets,
  membership: Membership,
) => {
  const query = `?token=${unsubscribeToken(secrets, membership)}`
  return {
    oneClick: `${publicUrl}/api/assinaturas/cancelamento${query}`,
    page: `${publicUrl}${UNSUBSCRIBE_PATH}${query}`,
  }
}
