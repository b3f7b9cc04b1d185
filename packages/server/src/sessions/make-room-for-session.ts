import type { AuditEvent, RecordAudit } from '../audit/record-audit.ts'
import type { Db } from '../db/open-database.ts'
import { notify } from '../notifications/notify.ts'
import { endOldestSessions, type NewSession, openSessionsAllowed } from './sessions.repository.ts'

/** A session to open, and its audit event. */
export interface SessionEntry {
  session: NewSession
  event: AuditEvent
}

/**
 * Ends the oldest sessions of a user who has reached the limit, and notifies the user. The caller's
 * transaction already holds the lock of the user's row.
 * @returns false when the limit was not reached: the new session failed for another reason
 */
export const endSessionsOverLimit = async (
  tx: Db,
  recordAudit: RecordAudit,
  { session, event }: SessionEntry,
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
