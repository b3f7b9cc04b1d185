import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { createLink, linkAddress, linkLifetime } from './account-links.ts'

interface Asker {
  idUsuario: number | undefined
  nomeUsuario: string
  emailUsuario: string
  aguardaAprovacao: boolean
}

/**
 * Sends the mailbox a link with which its owner confirms the e-mail; an earlier one is void. Without an account (undefined)
 * the same is asked of the database, and nothing is sent.
 */
export const sendConfirmation = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'config'>,
  { idUsuario, nomeUsuario: nome, emailUsuario: para, aguardaAprovacao }: Asker,
): Promise<void> => {
  const token = await createLink(tx, services, { idUsuario, tipo: 'confirmacao' })
  const mail = {
    modelo: 'confirmacao',
    nome,
    link: linkAddress(services.config, 'confirmacao', token),
    dias: linkLifetime.confirmacao / (24 * 3_600_000),
    aguardaAprovacao,
  } as const
  await queueMail(tx, services, { para, mail }, idUsuario !== undefined)
}

/**
 * @param senhaHash the password that was judged; undefined where any may be in force
 * @returns undefined where the e-mail was proven, the account is blocked or has another password
 */
export const markEmailProven = (tx: Db, idUsuario: number, senhaHash?: string | null) =>
  tx
    .updateTable('usuario')
    .set({ emailPorProvar: false })
    .where('idUsuario', '=', idUsuario)
    .where('emailPorProvar', '=', true)
    .where('situacao', '<>', 'BLOQUEADO')
    .$if(senhaHash !== undefined, (query) =>
      query.where('senhaHash', 'is not distinct from', senhaHash ?? null),
    )
    .returning(['idUsuario', 'nomeUsuario', 'emailUsuario', 'situacao'])
    .executeTakeFirst()
