import { dropEntrance } from '../../auth/drop-entrance.ts'
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
 * Takes away all that whoever asked for an account could come in with: the sign-up form takes anybody's e-mail, and now its
 * owner is here. They are told by e-mail and bell.
 * @returns what was taken, for the audit; nothing where there was no password
 */
export const shutOutAsker = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  { idUsuario, nomeUsuario: nome, emailUsuario: para }: Owner,
) => {
  const now = services.now()
  const dropped = await dropEntrance(tx, idUsuario, now)
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
