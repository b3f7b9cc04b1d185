import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/open-database.ts'

/** What happened, in the past tense of the trade: `session.created`, `embed.refused`. */
export type AuditAction =
  | 'session.created'
  | 'session.refused'
  | 'session.ended'
  | 'embed.issued'
  | 'embed.refused'
  | 'installation.created'
  | `${'connection' | 'workspace' | 'report' | 'user' | 'profile' | 'responsible'}.created`
  | `${'connection' | 'workspace' | 'report' | 'user' | 'profile'}.updated`
  | `${'connection' | 'workspace' | 'report' | 'user' | 'profile'}.deleted`
  | 'connection.tested'
  | 'user.imported'
  | 'grants.changed'
  | 'profile.reports-changed'
  | 'profile.members-changed'
  | 'page.bound'
  | 'menu.viewed-as'
  | 'list.exported'

interface AuditEntry {
  action: AuditAction
  /** Null where nobody is signed in. */
  idUsuario: number | null
  /** What it happened to, such as `relatorio:12`. */
  subject?: string
  /** Never a password, token or secret. */
  details?: Record<string, unknown>
  request?: FastifyRequest
}

/** Writes a line of the audit trail, or several, in the transaction of what they record. */
export const recordAudit = async (tx: Db, entries: AuditEntry | AuditEntry[]): Promise<void> => {
  const lines = [entries].flat().map(({ action, idUsuario, subject, details = {}, request }) => ({
    idUsuario,
    acao: action,
    objeto: subject ?? null,
    detalhes: JSON.stringify(details),
    endereco: request?.ip ?? null,
    idRequisicao: request?.id ?? null,
  }))
  if (lines.length > 0) await tx.insertInto('auditoria').values(lines).execute()
}
