import { revokeCredentials } from '../../auth/drop-entrance.ts'
import type { Db } from '../../db/open-database.ts'
import type { Services } from '../../http/services.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { notify } from '../../notifications/notify.ts'

interface Owner {
  idUsuario: number
  nomeUsuario: string
  emailUsuario: string
}

/**
 * Revokes the password, second factor and sessions of an account whose e-mail its real owner now
 * proves: anyone can type any e-mail into the sign-up form. Notifies the owner by e-mail and in the
 * portal.
 * @returns what was revoked, for the audit; empty when the account had no password
 */
export const revokeUnverifiedCredentials = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  { idUsuario, nomeUsuario: nome, emailUsuario: para }: Owner,
) => {
  const now = services.now()
  const dropped = await revokeCredentials(tx, idUsuario, now)
  if (!dropped.senhaRetirada) return {}
  await notify(
    tx,
    [idUsuario],
    {
      tipo: 'senha_alterada',
      titulo: 'Senha retirada',
      texto: 'A senha com que a sua conta foi pedida não vale mais: não havia prova de que era sua.',
      rota: '/meus-acessos',
    },
    now,
  )
  const mail = { modelo: 'senha_retirada', nome, quando: now.toISOString() } as const
  await queueMail(tx, services, { para, mail })
  return dropped
}
