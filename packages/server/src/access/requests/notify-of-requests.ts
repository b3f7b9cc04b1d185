import { type AccessRequest, brazilianDayOf, type OwnAccessRequest, reportPath } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import { requestAnsweredMail } from './access-requests.mail.ts'

/** All open requests share one line in the bell of an ADMIN. */
const SUBJECT = 'pedidos-acesso'

/**
 * Notifies the other ADMINs of the number of open requests. A trigger takes it back with the last request.
 */
export const notifyAdmins = async (
  tx: Db,
  { nomeUsuario, idUsuario, open }: { nomeUsuario: string; idUsuario: number; open: number },
  now: Date,
): Promise<void> => {
  await takeBack(tx, SUBJECT, { erase: true })
  const bell = {
    titulo: open === 1 ? 'Pedido de acesso a um relatório' : `${open} pedidos de acesso a relatórios`,
    texto: open === 1 ? `${nomeUsuario} espera a sua resposta.` : `O mais novo é de ${nomeUsuario}.`,
    rota: '/pedidos-acesso?situacao=ABERTO',
  }
  const notice = { audience: 'administradores', kind: 'pedido_acesso', subject: SUBJECT, bell } as const
  await notify(tx, { ...notice, but: [idUsuario] }, now)
}

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
export const notifyPerson = (
  tx: Db,
  services: Pick<Services, 'config' | 'now' | 'secrets'>,
  answered: Answered,
): Promise<void> => {
  const report = grantedReport(answered)
  const rota = report ?? '/meus-pedidos-acesso'
  const words = textsOf(answered)
  const link = `${services.config.publicUrl}${rota}`
  const message = (nome: string) => ({
    mail: { nome, ...words, link, ...(report ? { abreRelatorio: true } : {}) },
  })
  const notice = {
    audience: [answered.request.idUsuario],
    but: [answered.by],
    kind: 'pedido_acesso',
    bell: { ...words, rota },
    mail: { services, kind: requestAnsweredMail, message },
  } as const
  return notify(tx, notice, services.now())
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
