import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open-database.ts'
import { isActiveAccount } from '../../../platform/db/queries/expiry.ts'
import { notify } from '../../../platform/notifications/notify.ts'
import { personSees } from '../../../reports/index.ts'

interface Told {
  idRelatorio: number
  assunto: string
  /** Who made the subscription. */
  nomeUsuario: string
  idUsuario: number
}

/**
 * Notifies people that another person subscribed them. Those who may not see the report are not
 * notified, and get no e-mail either.
 */
export const notifyRecipients = async (
  tx: Db,
  people: readonly number[],
  { idRelatorio, assunto, nomeUsuario, idUsuario }: Told,
  now: Date,
): Promise<void> => {
  const audience = sql`id_usuario = any(${[...people]}::int[]) and ${isActiveAccount()} and exists (
    select from relatorio where id_relatorio = ${idRelatorio} and ${personSees()})`
  const bell = {
    titulo: 'Você vai receber um relatório por e-mail',
    texto: `${nomeUsuario} assinou “${assunto}” para você. Se não quiser recebê-lo, saia da assinatura.`,
    rota: '/assinaturas',
  }
  await notify(tx, { audience, but: [idUsuario], kind: 'assinatura', bell }, now)
}
