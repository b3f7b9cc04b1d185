import type { AuditEvent, RecordAudit } from '../../audit/record-audit.ts'
import type { Db } from '../../db/open-database.ts'
import { notify } from '../../notifications/notify.ts'
import { endOldestSessions, type NewSession, openSessionsAllowed } from './sessions.repository.ts'

/** A session to be opened, and the line of the audit trail that records it. */
export interface Entry {
  session: NewSession
  event: AuditEvent
}

/**
 * Ends the oldest session of a person who has as many open as they may, and tells the person. The transaction holds the person's
 * row: the attempt to open the session has locked it.
 * @returns false where there was room: something else stands in the way of the new session
 */
export const makeRoomForSession = async (
  tx: Db,
  recordAudit: RecordAudit,
  { session, event }: Entry,
): Promise<boolean> => {
  const { idUsuario, now } = session
  const sessoesEncerradas = await endOldestSessions(tx, session)
  if (sessoesEncerradas === 0) return false
  await recordAudit(tx, {
    ...event,
    action: 'session.revoked',
    subject: `usuario:${idUsuario}`,
    details: { sessoesEncerradas, motivo: `limite de ${openSessionsAllowed}` },
  })
  const notification = {
    tipo: 'sessoes_encerradas',
    titulo: 'Sessão mais antiga encerrada',
    texto: `Uma conta tem no máximo ${openSessionsAllowed} sessões abertas, e a nova entrada encerrou a mais antiga. Se não foi você, encerre todas e troque a senha.`,
    rota: '/meus-acessos',
    assunto: 'sessoes:limite',
  } as const
  await notify(tx, [idUsuario], notification, now)
  return true
}
