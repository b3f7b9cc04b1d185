import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { notify } from '../notifications/notify.ts'

export interface Owner {
  idUsuario: number
  nomeUsuario: string
  emailUsuario: string
}

interface Change {
  titulo: string
  texto: string
  /** The e-mail about it. */
  modelo: 'senha_alterada' | 'senha_retirada' | 'identidade_retirada'
}

/** Notifies in the portal and by e-mail, so that the owner learns of a change by someone else. */
export const notifyOwner = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  { idUsuario, nomeUsuario: nome, emailUsuario: para }: Owner,
  { titulo, texto, modelo }: Change,
): Promise<void> => {
  const now = services.now()
  await notify(tx, [idUsuario], { tipo: 'senha_alterada', titulo, texto, rota: '/meus-acessos' }, now)
  await queueMail(tx, services, { para, mail: { modelo, nome, quando: now.toISOString() } })
}

export const notifyPasswordChanged = (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  owner: Owner,
): Promise<void> =>
  notifyOwner(tx, services, owner, {
    titulo: 'Senha alterada',
    texto: 'A sua senha foi alterada. Se não foi você, avise um administrador.',
    modelo: 'senha_alterada',
  })
