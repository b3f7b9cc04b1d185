import type { Db } from '../../../platform/db/open-database.ts'
import type { Services } from '../../../platform/http/services.ts'
import { queueMails } from '../../../platform/mail/queue-mail.ts'
import { readRecipientRules } from '../../deliveries/sending-rules.ts'
import { setMailState } from './mail-states.ts'
import { checkRecipient, mailSkipReason, selectRunMails } from './run-mails.ts'
import { subscriptionMail } from './subscription.mail.ts'

/** The e-mails of a run, or those of one of its files. */
interface Which {
  idExecucao: number
  idArquivo?: number
}

/**
 * Queues the e-mails of the recipients who may still get them, and skips the others. It runs in the
 * transaction that makes their file ready, so that each is queued once.
 */
export const queueMailsOf = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  { idExecucao, idArquivo }: Which,
): Promise<void> => {
  const em = services.now()
  const rules = await readRecipientRules(tx)
  // Locked first, so that no other transaction changes the rows between the check and the update.
  await tx
    .selectFrom('assinaturaEntrega')
    .select('idUsuario')
    .where('idExecucao', '=', idExecucao)
    .where('estado', '=', 'PENDENTE')
    .where((eb) => (idArquivo === undefined ? eb.lit(true) : eb('idArquivo', '=', idArquivo)))
    .orderBy('idUsuario')
    .forUpdate()
    .execute()
  const rows = await selectRunMails(tx)
    .where('assinaturaExecucao.idExecucao', '=', idExecucao)
    .where('assinaturaEntrega.estado', '=', 'PENDENTE')
    .where((eb) =>
      idArquivo === undefined ? eb.lit(true) : eb('assinaturaEntrega.idArquivo', '=', idArquivo),
    )
    .execute()
  const queued: typeof rows = []
  const skipped = new Map<string, number[]>()
  for (const row of rows) {
    const motivo = mailSkipReason(row, checkRecipient(row, rules, services.secrets))
    if (motivo === null) queued.push(row)
    else skipped.set(motivo, [...(skipped.get(motivo) ?? []), row.idUsuario])
  }
  for (const [motivo, people] of skipped)
    await setMailState(tx, { idExecucao, of: { people }, estado: 'PULADA', motivo, em })
  if (queued.length === 0) return
  const people = queued.map(({ idUsuario }) => idUsuario)
  await setMailState(tx, { idExecucao, of: { people }, estado: 'NA_FILA', motivo: null, em })
  await queueMails(
    tx,
    services,
    subscriptionMail,
    queued.map(({ idUsuario, emailUsuario: para }) => ({
      para,
      mail: { idExecucao, idUsuario },
    })),
  )
}
