import { randomBytes } from 'node:crypto'
import type { AuditAction } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Secrets } from '../secrets.ts'
import { rowText } from './row-text.ts'

export interface AuditEvent {
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
export type RecordAudit = (tx: Db, events: AuditEvent | AuditEvent[]) => Promise<void>

/**
 * Each row carries a keyed digest of itself, so that one written behind the program's back shows; the queue tells who seals
 * the chain (seal-chain.ts) that it is there.
 */
export const createRecordAudit = (secrets: Secrets, now: () => Date): RecordAudit => {
  const writer = randomBytes(9).toString('base64url')
  let written = 0
  return async (tx, events) => {
    const quando = now()
    const rows = [events].flat().map(({ action, idUsuario, subject, details = {}, request }) => {
      written += 1
      const row = {
        evento: `${writer}.${written}`,
        quando,
        idUsuario,
        acao: action,
        objeto: subject ?? null,
        detalhes: details,
        endereco: request?.ip ?? null,
        idRequisicao: request?.id ?? null,
      }
      const { chave, marca } = secrets.sign(rowText(row))
      return { ...row, detalhes: JSON.stringify(details), chave, marca }
    })
    if (rows.length === 0) return
    await tx
      .with('nova', (db) => db.insertInto('auditoria').values(rows).returning('idAuditoria'))
      .insertInto('auditoriaFila')
      .columns(['idAuditoria'])
      .expression((eb) =>
        eb.selectFrom('nova').select(sql.ref<number>('nova.id_auditoria').as('idAuditoria')),
      )
      .execute()
  }
}
