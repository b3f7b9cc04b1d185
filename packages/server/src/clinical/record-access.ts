import type { AccessAction, AccessObject, AuditAction } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/open-database.ts'
import type { Caller } from '../http/caller.ts'
import type { Services } from '../http/services.ts'
import { insertAccesses } from './access-rows.ts'
import { purposeOf } from './purpose.ts'

export interface Access {
  acao: AccessAction
  objeto: AccessObject
  idObjeto: number
  /** Registry number of whom it is about; null for an attachment that belongs to nobody. */
  beneficiario: number | null
}

interface Recorded {
  user: Caller
  request: FastifyRequest
  accesses: Access[]
  /** What the audit trail says of the call as a whole: never a name, a plan's id or a clinical text. */
  audit: { action: AuditAction; subject: string; details?: Record<string, unknown> }
}

export type RecordAccess = (tx: Db, recorded: Recorded) => Promise<void>

/**
 * Puts on record who read or changed whose data, and why: a row for each object in the access log, which is kept as long as the
 * records are, and one line of the audit trail for the call. In the transaction of what it records; a read is answered only
 * after this is safe.
 */
export const createRecordAccess =
  ({ secrets, recordAudit, now }: Pick<Services, 'secrets' | 'recordAudit' | 'now'>): RecordAccess =>
  async (tx, { user, request, accesses, audit }) => {
    const purpose = purposeOf(request)
    const quando = now()
    const rows = accesses.map((access) => ({
      ...access,
      quando,
      idUsuario: user.idUsuario,
      nomeUsuario: user.nomeUsuario,
      finalidade: purpose.code,
      texto: purpose.text,
      idRequisicao: request.id,
    }))
    const acessos = await insertAccesses(tx, secrets, rows)
    await recordAudit(tx, {
      action: audit.action,
      idUsuario: user.idUsuario,
      subject: audit.subject,
      // Of the purpose only its code: what was typed may name somebody. The rows have it, sealed; where there are none (nobody
      // was found, or the access log itself was read) it is not kept.
      details: {
        finalidade: purpose.code,
        ...numbersOf(accesses),
        ...audit.details,
        ...(acessos && { acessos }),
      },
      request,
    })
  }

const numbersOf = (accesses: Access[]): Record<string, number[]> => {
  const numbers: Record<string, Set<number>> = {}
  for (const { objeto, idObjeto, beneficiario } of accesses) {
    numbers[objeto] = (numbers[objeto] ?? new Set()).add(idObjeto)
    if (beneficiario !== null) numbers.beneficiario = (numbers.beneficiario ?? new Set()).add(beneficiario)
  }
  return Object.fromEntries(Object.entries(numbers).map(([objeto, ids]) => [objeto, [...ids]]))
}
