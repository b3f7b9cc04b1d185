import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import type { Services } from '../../platform/http/services.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { confirmationMail } from '../accounts.mail.ts'
import { createLink, linkAddress, linkLifetime } from './account-links.ts'

interface Asker {
  idUsuario: number | undefined
  nomeUsuario: string
  emailUsuario: string
  aguardaAprovacao: boolean
}

/**
 * Sends a link that confirms the e-mail, and voids an earlier one. Without an account the same
 * statements run, and nothing is sent.
 */
export const sendConfirmation = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'config'>,
  { idUsuario, nomeUsuario: nome, emailUsuario: para, aguardaAprovacao }: Asker,
): Promise<void> => {
  const token = await createLink(tx, services, { idUsuario, tipo: 'confirmacao' })
  const mail = {
    nome,
    link: linkAddress(services.config, 'confirmacao', token),
    dias: linkLifetime.confirmacao / (24 * 3_600_000),
    aguardaAprovacao,
  }
  await queueMail(tx, services, confirmationMail, { para, mail }, idUsuario !== undefined)
}

/**
 * Marks the account's e-mail as proven.
 * @param senhaHash the hash that was checked; undefined accepts any current password
 * @returns undefined when the e-mail was proven already, the account is blocked or has ended, or
 * its password changed
 */
export const markEmailProven = (tx: Db, idUsuario: number, senhaHash?: string | null) =>
  tx
    .updateTable('usuario')
    .set({ emailPorProvar: false })
    .where('idUsuario', '=', idUsuario)
    .where('emailPorProvar', '=', true)
    .where((eb) => eb.or([isActiveAccount(), eb('situacao', '=', 'PENDENTE')]))
    .$if(senhaHash !== undefined, (query) =>
      query.where('senhaHash', 'is not distinct from', senhaHash ?? null),
    )
    .returning(['idUsuario', 'nomeUsuario', 'emailUsuario', 'situacao'])
    .executeTakeFirst()
