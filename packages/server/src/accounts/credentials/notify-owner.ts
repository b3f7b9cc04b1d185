import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import type { MailKind } from '../../platform/mail/mail-kind.ts'
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
  { idUsuario }: Pick<Owner, 'idUsuario'>,
  { titulo, texto, kind }: Change,
): Promise<void> => {
  const now = services.now()
  const message = (nome: string) => ({ mail: { nome, quando: now.toISOString() } })
  const mail = { services, kind, message, isForOwner: true }
  const bell = { titulo, texto, rota: '/meus-acessos' }
  await notify(tx, { audience: [idUsuario], kind: 'senha_alterada', bell, mail }, now)
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
