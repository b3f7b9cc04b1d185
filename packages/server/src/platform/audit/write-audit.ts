import { randomBytes } from 'node:crypto'
import type { AuditAction } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Secrets } from '../config/secrets.ts'
import type { Db } from '../db/open-database.ts'
import { type AuditRow, rowText } from './row-text.ts'

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

/** Writes audit lines, in the transaction of the change that they record. */
export type WriteAudit = (tx: Db, events: AuditEvent | AuditEvent[]) => Promise<void>

export type SignedRow = AuditRow & { chave: string; marca: string }

/**
 * Creates the function that writes audit lines. Each row has an HMAC, so that rows written by other
 * means are detected; the queue makes the sealer (seal-chain.ts) append it to the chain.
 */
export const createAuditWriter = (secrets: Secrets, now: () => Date): WriteAudit => {
  const signRows = createRowSigner(secrets, now)
  return async (tx, events) => insertAuditRows(tx, signRows([events].flat()))
}

/** Returns a function that makes the signed rows of events that happen now. */
export const createRowSigner = (secrets: Secrets, now: () => Date) => {
  const writer = randomBytes(9).toString('base64url')
  let written = 0
  return (events: AuditEvent[]): SignedRow[] => {
    const quando = now()
    return events.map(({ action, idUsuario, subject, details = {}, request }) => {
      written += 1
      const row = {
        evento: `${writer}.${written}`,
        quando,
        idUsuario,
        acao: action,
        objeto: subject ?? null,
        detalhes: withKey(details, request),
        endereco: request?.ip ?? null,
        idRequisicao: request?.id ?? null,
      }
      const { chave, marca } = secrets.sign(rowText(row))
      return { ...row, chave, marca }
    })
  }
}

/** Inserts signed rows, all of them or none. */
export const insertAuditRows = async (tx: Db, rows: SignedRow[]): Promise<void> => {
  if (rows.length === 0) return
  // The statement's text does not depend on the number of lines, so that it is prepared once.
  await sql`
    with nova as (
      insert into auditoria (evento, quando, id_usuario, acao, objeto, detalhes, endereco, id_requisicao, chave, marca)
      select r.evento, r.quando, r."idUsuario", r.acao, r.objeto, r.detalhes, r.endereco, r."idRequisicao", r.chave, r.marca
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        evento text, quando timestamptz, "idUsuario" int, acao text, objeto text, detalhes jsonb, endereco text,
        "idRequisicao" text, chave text, marca text)
      returning id_auditoria
    )
    insert into auditoria_fila (id_auditoria) select id_auditoria from nova`.execute(tx)
}

/** Adds the name of the API key with which a program made the call. */
const withKey = (details: Record<string, unknown>, request: FastifyRequest | undefined) => {
  const key = request?.caller?.chave
  return key ? { ...details, chaveApi: key.nome } : details
}
