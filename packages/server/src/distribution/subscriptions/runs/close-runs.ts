import type { SubscriptionRunState } from '@bi-manager/contract'
import { sql } from 'kysely'
import { databaseNow, fromNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import { listOf } from '../../../platform/notifications/list-of.ts'
import { notify, takeBack } from '../../../platform/notifications/notify.ts'
import { selectRuns } from '../mails/run-mails.ts'
import { FILE_TOO_LATE, MAIL_TOO_LATE, WANTED_REASONS } from '../mails/skip-reasons.ts'
import type { SubscriptionServices } from './step.ts'

/** Milliseconds after which the files of a run are given up: its data are of another day. */
const RUN_LIMIT_MS = 24 * 3_600_000

/**
 * Milliseconds after which a queued e-mail counts as failed. The mail sender ends each within 72 hours,
 * but cannot say whose it was when it cannot decrypt the message.
 */
const QUEUE_LIMIT_MS = 4 * 24 * 3_600_000

/** Runs that one call closes. */
const MAX_CLOSED = 20

/** Ends the runs whose e-mails are all sent, skipped or failed, and notifies their owners. */
export const closeRuns = async (services: SubscriptionServices): Promise<void> => {
  const { db, now } = services
  await endLateRuns(db)
  await endLateMails(db, now())
  const { rows } = await sql<{ idExecucao: number }>`
    select id_execucao from assinatura_execucao e
    where terminada_em is null and preparada_em is not null and not exists (
      select from assinatura_entrega d where d.id_execucao = e.id_execucao and d.estado in ('PENDENTE', 'NA_FILA'))
    order by id_execucao limit ${MAX_CLOSED}`.execute(db)
  for (const { idExecucao } of rows) await inTransaction(db, (tx) => closeRun(tx, services, idExecucao))
}

const endLateRuns = async (db: Db): Promise<void> => {
  await sql`
    with tarde as (
      update assinatura_execucao set preparada_em = coalesce(preparada_em, ${databaseNow}), frase = ${FILE_TOO_LATE}
      where terminada_em is null and iniciada_em < ${fromNow(-RUN_LIMIT_MS)}
        and exists (select from assinatura_entrega d
          where d.id_execucao = assinatura_execucao.id_execucao and d.estado = 'PENDENTE')
      returning id_execucao
    ), arquivos as (
      update assinatura_arquivo set estado = 'FALHOU', frase = ${FILE_TOO_LATE}, ocupado_ate = null
      where id_execucao in (select id_execucao from tarde) and estado in ('PENDENTE', 'GERANDO')
    )
    update assinatura_entrega set estado = 'FALHOU', motivo = ${FILE_TOO_LATE}, em = ${databaseNow}
    where id_execucao in (select id_execucao from tarde) and estado = 'PENDENTE'`.execute(db)
}

const endLateMails = async (db: Db, now: Date): Promise<void> => {
  await db
    .updateTable('assinaturaEntrega')
    .set({ estado: 'FALHOU', motivo: MAIL_TOO_LATE, em: now })
    .where('estado', '=', 'NA_FILA')
    .where('em', '<', new Date(now.getTime() - QUEUE_LIMIT_MS))
    .execute()
}

const closeRun = async (tx: Db, services: SubscriptionServices, idExecucao: number): Promise<void> => {
  const now = services.now()
  const open = await tx
    .selectFrom('assinaturaExecucao')
    .select(['estado', 'frase'])
    .where('idExecucao', '=', idExecucao)
    .where('terminadaEm', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const row = open && (await selectRuns(tx).where('idExecucao', '=', idExecucao).executeTakeFirst())
  if (!row) return
  const counts = await countMails(tx, idExecucao)
  const reasons = counts.puladas + counts.falhas > 0 ? await reasonsOf(tx, idExecucao) : new Map()
  const { estado, frase, trouble } = resultOf(open, counts, reasons)
  await tx
    .updateTable('assinaturaExecucao')
    .set({ estado, frase, terminadaEm: now, ocupadaAte: null })
    .where('idExecucao', '=', idExecucao)
    .execute()
  // A trigger has the files deleted.
  await tx
    .updateTable('assinaturaArquivo')
    .set({ arquivo: null, chave: null })
    .where('idExecucao', '=', idExecucao)
    .execute()
  const details = { idExecucao, causa: row.causa, estado, ...counts }
  const subject = `assinatura:${row.idAssinatura}`
  await services.writeAudit(tx, { action: 'subscription.run', idUsuario: null, subject, details })
  if (row.causa !== 'TESTE') await notifyOwner(tx, row, { estado, trouble }, now)
}

interface Result {
  estado: SubscriptionRunState
  /** What the run's row says, in Portuguese. */
  frase: string | null
  /** What the owner is notified of, in Portuguese; null when nothing is wrong. */
  trouble: string | null
}

/** Returns how a run ended, by its e-mails and by why some of them were not sent. */
export const resultOf = (
  run: { estado: SubscriptionRunState; frase: string | null },
  { enviadas, puladas, falhas }: MailCounts,
  reasons: Reasons,
): Result => {
  // Refused as a whole: `prepareRun` has stored why.
  if (run.estado !== 'EM_ANDAMENTO') return { ...run, trouble: run.frase }
  const unsent = puladas + falhas
  if (enviadas + unsent === 0) return { estado: 'NAO_ENVIADA', frase: NOBODY, trouble: NOBODY }
  const trouble = inSentence('', withoutWanted(reasons))
  if (enviadas > 0) return { estado: unsent > 0 ? 'PARCIAL' : 'CONCLUIDA', frase: trouble, trouble }
  const frase = inSentence('Nada foi enviado. ', reasons)
  return { estado: falhas > 0 ? 'FALHOU' : 'NAO_ENVIADA', frase, trouble }
}

export const NOBODY = 'Ninguém recebe esta assinatura: acrescente destinatários, ou exclua-a.'

interface MailCounts {
  enviadas: number
  puladas: number
  falhas: number
}

const countMails = async (tx: Db, idExecucao: number): Promise<MailCounts> => {
  const { rows } = await sql<MailCounts>`
    select (count(*) filter (where estado = 'ENVIADA'))::int as enviadas,
      (count(*) filter (where estado = 'PULADA'))::int as puladas,
      (count(*) filter (where estado = 'FALHOU'))::int as falhas
    from assinatura_entrega where id_execucao = ${idExecucao}`.execute(tx)
  return rows[0] ?? { enviadas: 0, puladas: 0, falhas: 0 }
}

/** People whom the sentence names. */
const NAMED = 3

/** Reason → names of the people who got no e-mail for it, by name. */
type Reasons = ReadonlyMap<string, string[]>

const reasonsOf = async (tx: Db, idExecucao: number): Promise<Reasons> => {
  const rows = await tx
    .selectFrom('assinaturaEntrega')
    .innerJoin('usuario', 'usuario.idUsuario', 'assinaturaEntrega.idUsuario')
    .select(['nomeUsuario', 'motivo'])
    .where('idExecucao', '=', idExecucao)
    .where('assinaturaEntrega.estado', 'in', ['PULADA', 'FALHOU'])
    .orderBy('nomeNatural')
    .orderBy('usuario.idUsuario')
    .execute()
  const groups = Map.groupBy(rows, ({ motivo }) => motivo ?? '')
  return new Map([...groups].map(([motivo, people]) => [motivo, people.map((one) => one.nomeUsuario)]))
}

const withoutWanted = (reasons: Reasons): Reasons =>
  new Map([...reasons].filter(([motivo]) => !WANTED_REASONS.includes(motivo)))

/** Returns who got no e-mail and why, in Portuguese; null without reasons. */
const inSentence = (beginning: string, reasons: Reasons): string | null => {
  const sentences = [...reasons].map(([motivo, people]) => {
    const names = people.slice(0, NAMED)
    const more = people.length - names.length
    return `${listOf(names, more)}: ${motivo}`
  })
  return sentences.length > 0 ? `${beginning}${sentences.join(' ')}`.slice(0, MAX_LENGTH) : null
}

const MAX_LENGTH = 2_000

/** Notifies the owner once, until the sentence changes. */
const notifyOwner = async (
  tx: Db,
  { idAssinatura, assunto, idDono, isOwnerActive }: Owned,
  { estado, trouble }: Pick<Result, 'estado' | 'trouble'>,
  now: Date,
): Promise<void> => {
  const subject = `assinatura:${idAssinatura}`
  if (trouble === null) return takeBack(tx, subject)
  const bell = {
    titulo: estado === 'PARCIAL' ? `“${assunto}” não chegou a todos` : `“${assunto}” não foi enviado`,
    texto: trouble,
    rota: `/assinaturas/${idAssinatura}`,
  }
  // The owner of a blocked account reads no notification.
  const audience = isOwnerActive ? [idDono] : 'administradores'
  await notify(tx, { audience, kind: 'assinatura', subject, occurrence: trouble, bell }, now)
}

interface Owned {
  idAssinatura: number
  assunto: string
  idDono: number
  isOwnerActive: boolean
}
