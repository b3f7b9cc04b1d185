import { randomBytes } from 'node:crypto'
import type { AuditAction } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Secrets } from '../config/secrets.ts'
import type { Db } from '../db/open-database.ts'
import { rowText } from './row-text.ts'

export interface AuditEvent {
  action: AuditAction
  /** Null without a signed-in user. */
  idUsuario: number | null
  /** The object concerned, such as `relatorio:12`. */
  subject?: string
  /** Must never contain a password, token or secret. */
  details?: Record<string, unknown>
  request?: FastifyRequest
}

/** SQL that runs in the same statement as the audit lines: both are committed, or neither. */
export interface AuditedStatement<R> {
  /** Common table expressions, `name as (…)`, separated by commas. */
  with: RawBuilder<unknown>
  /** The select whose rows are returned. */
  select?: RawBuilder<R>
  /**
   * A condition per line, on `r` and the CTEs. If it is false, the line is not written, and the
   * CTEs must have changed nothing for it.
   */
  when?: RawBuilder<boolean>
}

/** Writes audit lines, in the transaction or statement of the change that they record. */
export type RecordAudit = <R = unknown>(
  tx: Db,
  events: AuditEvent | AuditEvent[],
  beside?: AuditedStatement<R>,
) => Promise<R[]>

/**
 * Creates the function that writes audit lines. Each row has an HMAC, so that rows written by other
 * means are detected; the queue makes the sealer (seal-chain.ts) append it to the chain.
 */
export const createRecordAudit = (secrets: Secrets, now: () => Date): RecordAudit => {
  const writer = randomBytes(9).toString('base64url')
  let written = 0
  return async <R>(tx: Db, events: AuditEvent | AuditEvent[], beside?: AuditedStatement<R>): Promise<R[]> => {
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
      return { ...row, chave, marca }
    })
    if (rows.length === 0) return []
    // The statement's text does not depend on the number of lines, so that it is prepared once.
    const answer = await sql<R>`
      with ${beside ? sql`${beside.with},` : sql``} nova as (
        insert into auditoria (evento, quando, id_usuario, acao, objeto, detalhes, endereco, id_requisicao, chave, marca)
        select r.evento, r.quando, r."idUsuario", r.acao, r.objeto, r.detalhes, r.endereco, r."idRequisicao", r.chave, r.marca
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(
          evento text, quando timestamptz, "idUsuario" int, acao text, objeto text, detalhes jsonb, endereco text,
          "idRequisicao" text, chave text, marca text)
        ${beside?.when ? sql`where ${beside.when}` : sql``}
        returning id_auditoria
      ), fila as (insert into auditoria_fila (id_auditoria) select id_auditoria from nova)
      ${beside?.select ?? sql`select`}`.execute(tx)
    return answer.rows
  }
}
