import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { passwordRemovedMail } from '../accounts.mail.ts'
import { notifyOwner, type Owner } from '../credentials/notify-owner.ts'
import { revokeCredentials } from '../credentials/revoke-credentials.ts'

/**
 * Revokes the password, second factor and sessions of an account whose e-mail its real owner now
 * proves: anyone can type any e-mail into the sign-up form. Notifies the owner by e-mail and in the
 * portal.
 * @returns what was revoked, for the audit; empty when the account had no password
 */
export const revokeUnverifiedCredentials = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  owner: Owner,
) => {
  const dropped = await revokeCredentials(tx, owner.idUsuario, services.now())
  if (!dropped.senhaRetirada) return {}
  await notifyOwner(tx, services, owner, {
    titulo: 'Senha retirada',
    texto: 'A senha com que a sua conta foi pedida não vale mais: não havia prova de que era sua.',
    kind: passwordRemovedMail,
  })
  return dropped
}
