import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { openSessionsAllowed } from './sessions.repository.ts'

interface SurplusEnd {
  idUsuario: number
  sessoesEncerradas: number
  now: Date
  request: FastifyRequest
}

/** Audits that a sign-in ended the user's sessions over the limit, and notifies the user. */
export const notifySurplusEnded = async (
  tx: Db,
  { writeAudit }: Pick<Services, 'writeAudit'>,
  { idUsuario, sessoesEncerradas, now, request }: SurplusEnd,
): Promise<void> => {
  await writeAudit(tx, {
    action: 'session.revoked',
    idUsuario,
    subject: `usuario:${idUsuario}`,
    details: { sessoesEncerradas, motivo: `limite de ${openSessionsAllowed}` },
    request,
  })
  const bell = {
    titulo: 'Sessão mais antiga encerrada',
    texto: `Uma conta tem no máximo ${openSessionsAllowed} sessões abertas, e a nova entrada encerrou a mais antiga. Se não foi você, encerre todas e troque a senha.`,
    rota: '/meus-acessos',
  }
  const subject = 'sessoes:limite'
  await notify(tx, { audience: [idUsuario], kind: 'sessoes_encerradas', subject, bell }, now)
}
