import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { notify } from '../notifications/notify.ts'
import { endOldestSessions, openSessionsAllowed } from './sessions.repository.ts'

/**
 * Ends the oldest sessions of a user who has reached the limit, and notifies the user. The caller's
 * transaction holds the lock of the user's row.
 */
export const endSessionsOverLimit = async (
  tx: Db,
  { config, recordAudit }: Pick<Services, 'config' | 'recordAudit'>,
  { idUsuario, now, request }: { idUsuario: number; now: Date; request: FastifyRequest },
): Promise<void> => {
  const { idleSeconds } = config.session
  const sessoesEncerradas = await endOldestSessions(tx, idUsuario, { now, idleSeconds })
  if (sessoesEncerradas === 0) return
  await recordAudit(tx, {
    action: 'session.revoked',
    idUsuario,
    subject: `usuario:${idUsuario}`,
    details: { sessoesEncerradas, motivo: `limite de ${openSessionsAllowed}` },
    request,
  })
  const notification = {
    tipo: 'sessoes_encerradas',
    titulo: 'Sessão mais antiga encerrada',
    texto: `Uma conta tem no máximo ${openSessionsAllowed} sessões abertas, e a nova entrada encerrou a mais antiga. Se não foi você, encerre todas e troque a senha.`,
    rota: '/meus-acessos',
    assunto: 'sessoes:limite',
  } as const
  await notify(tx, [idUsuario], notification, now)
}
