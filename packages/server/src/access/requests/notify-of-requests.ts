import { type AccessRequest, brazilianDayOf, type OwnAccessRequest, reportPath } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { dropUnread } from '../../platform/notifications/resolve-notifications.ts'
import { requestAnsweredMail } from './access-requests.mail.ts'

/** All open requests share one line in the bell of an ADMIN. */
const SUBJECT = 'pedidos-acesso'

/** Tells the other ADMINs of a new request, with how many are open. */
export const notifyAdmins = async (
  tx: Db,
  { nomeUsuario, idUsuario, open }: { nomeUsuario: string; idUsuario: number; open: number },
  now: Date,
): Promise<void> => {
  await dropUnread(tx, SUBJECT)
  await notify(
    tx,
    'administradores',
    {
      tipo: 'pedido_acesso',
      titulo: open === 1 ? 'Pedido de acesso a um relatório' : `${open} pedidos de acesso a relatórios`,
      texto: open === 1 ? `${nomeUsuario} espera a sua resposta.` : `O mais novo é de ${nomeUsuario}.`,
      rota: '/pedidos-acesso?situacao=ABERTO',
      assunto: SUBJECT,
    },
    now,
    { but: [idUsuario] },
  )
}

/** Takes the line of open requests out of the bell, once none is left. */
export const dropWaiting = (tx: Db): Promise<void> => dropUnread(tx, SUBJECT)

interface Answered {
  request: AccessRequest
  /** The same request as the person may see it. */
  own: OwnAccessRequest | undefined
  /** The last day of a grant; null: no end. */
  lastDay: string | null
  /** The user who answered. An answer to one's own request sends no notification. */
  by: number
}

/** Notifies the person of the answer, in the bell and by e-mail. Both link to a granted report. */
export const notifyPerson = async (
  tx: Db,
  services: Pick<Services, 'config' | 'now' | 'secrets'>,
  answered: Answered,
): Promise<void> => {
  const { idUsuario, nomeUsuario: nome, emailUsuario: para } = answered.request
  const report = grantedReport(answered)
  const rota = report ?? '/meus-pedidos-acesso'
  const draft = textsOf(answered)
  if (idUsuario === answered.by) return
  await notify(tx, [idUsuario], { tipo: 'pedido_acesso', ...draft, rota }, services.now())
  const mail = {
    nome,
    ...draft,
    link: `${services.config.publicUrl}${rota}`,
    ...(report ? { abreRelatorio: true } : {}),
  }
  await queueMail(tx, services, requestAnsweredMail, { para, mail }, await mayGetMail(tx, idUsuario))
}

/**
 * Returns whether the portal may send the names of reports to this user's address: the address is
 * verified, and the account may sign in.
 */
const mayGetMail = async (tx: Db, idUsuario: number): Promise<boolean> => {
  const { mayGet } = await tx
    .selectFrom('usuario')
    .select(sql<boolean>`(not email_por_provar and ${isActiveAccount()})`.as('mayGet'))
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirstOrThrow()
  return mayGet
}

/** Returns the path of the report; undefined unless the person may open it now. */
const grantedReport = ({ request, own }: Answered): string | undefined => {
  const { situacao, jaTemAcesso, nomeGrupo: workspace, idRelatorio } = request
  if (situacao === 'RECUSADO' || !jaTemAcesso || !own?.nomeRelatorio || !workspace || !idRelatorio) return
  const { nomeRelatorio: relatorio, groupId, reportId } = own
  return reportPath({ workspace, relatorio, groupId, reportId, idRelatorio })
}

const textsOf = ({ request: { situacao, criadoEm, mensagem }, own, lastDay }: Answered) => {
  const name = own?.nomeRelatorio ?? null
  const words = mensagem?.replace(/\s+/g, ' ') ?? ''
  if (situacao === 'RECUSADO') {
    const when = brazilianDayOf(dayOf(new Date(criadoEm)))
    return {
      titulo: 'Pedido de acesso recusado',
      texto: `Seu pedido de ${when} de acesso ${name === null ? 'ao relatório' : `a “${name}”`} foi recusado. Resposta: ${words}`,
    }
  }
  const until = lastDay === null ? '' : `, até ${brazilianDayOf(lastDay)}`
  return {
    titulo: 'Acesso liberado',
    texto: `Você já pode abrir ${name === null ? 'o relatório' : `“${name}”`}${until}.${words ? ` Mensagem: ${words}` : ''}`,
  }
}
