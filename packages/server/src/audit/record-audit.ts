import { randomBytes } from 'node:crypto'
import type { AuditAction } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
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

/** What is done in one statement with the lines that record it: it is kept if they are. */
export interface Beside<R> {
  /** Parts of the statement, `name as (…)`, separated by commas. */
  with: RawBuilder<unknown>
  /** What of them is answered. */
  select?: RawBuilder<R>
  /** A condition on those parts for each line, `r`, without which it is not recorded: then they must have done nothing for it. */
  when?: RawBuilder<boolean>
}

/** Writes a line of the audit trail, or several, in the transaction, or the statement, of what they record. */
export type RecordAudit = <R = unknown>(
  tx: Db,
  events: AuditEvent | AuditEvent[],
  beside?: Beside<R>,
) => Promise<R[]>

/**
 * Each row carries a keyed digest of itself, so that one written behind the program's back shows; the queue tells who seals
 * the chain (seal-chain.ts) that it is there.
 */
export const createRecordAudit = (secrets: Secrets, now: () => Date): RecordAudit => {
  const writer = randomBytes(9).toString('base64url')
  let written = 0
  return async <R>(tx: Db, events: AuditEvent | AuditEvent[], beside?: Beside<R>): Promise<R[]> => {
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
    // The same text however many they are, so that it is parsed and planned once.
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
