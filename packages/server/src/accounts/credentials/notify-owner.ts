import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import type { MailKind } from '../../platform/mail/mail-kind.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { passwordChangedMail } from '../accounts.mail.ts'

export interface Owner {
  idUsuario: number
  nomeUsuario: string
  emailUsuario: string
}

interface Change {
  titulo: string
  texto: string
  /** The e-mail about it. */
  kind: MailKind<{ nome: string; quando: string }>
}

/** Notifies in the portal and by e-mail, so that the owner learns of a change by someone else. */
export const notifyOwner = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  { idUsuario, nomeUsuario: nome, emailUsuario: para }: Owner,
  { titulo, texto, kind }: Change,
): Promise<void> => {
  const now = services.now()
  await notify(tx, [idUsuario], { tipo: 'senha_alterada', titulo, texto, rota: '/meus-acessos' }, now)
  await queueMail(tx, services, kind, { para, mail: { nome, quando: now.toISOString() } })
}

export const notifyPasswordChanged = (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  owner: Owner,
): Promise<void> =>
  notifyOwner(tx, services, owner, {
    titulo: 'Senha alterada',
    texto: 'A sua senha foi alterada. Se não foi você, avise um administrador.',
    kind: passwordChangedMail,
  })
