import type { AccessAction, AccessObject, AuditAction } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import type { Services } from '../../platform/http/services.ts'
import { insertAccesses } from './access-rows.ts'
import { purposeOf } from './purpose.ts'

export interface Access {
  acao: AccessAction
  objeto: AccessObject
  idObjeto: number
  /** Id of the beneficiary concerned; null for an attachment without one. */
  beneficiario: number | null
}

/** Returns the access to a record or an attachment. */
export const accessOf = (
  acao: AccessAction,
  objeto: AccessObject,
  { id: idObjeto, beneficiario }: { id: number; beneficiario: number | null },
): Access => ({ acao, objeto, idObjeto, beneficiario })

/** The caller and the request. */
export interface CallContext {
  user: Caller
  request: FastifyRequest
}

/** The audit line of the whole call: never a name, plan id or clinical text. */
interface AuditLine {
  action: AuditAction
  subject: string
  details?: Record<string, unknown>
}

export type RecordAccess = (
  tx: Db,
  context: CallContext,
  accesses: Access[],
  line: AuditLine,
) => Promise<void>

/**
 * Returns a function that records who read or changed whose data, and why: an access log row per
 * object, kept as long as the records, and one audit line per call. Runs in the transaction of the
 * read or write, which must commit before the answer is sent.
 */
export const createRecordAccess =
  ({ secrets, writeAudit, now }: Pick<Services, 'secrets' | 'writeAudit' | 'now'>): RecordAccess =>
  async (tx, { user, request }, accesses, { action, subject, details }) => {
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
    await writeAudit(tx, {
      action,
      idUsuario: user.idUsuario,
      subject,
      // Only the purpose's code: the typed text may name a person. The access rows have it
      // encrypted; without rows it is not stored.
      details: {
        finalidade: purpose.code,
        ...numbersOf(accesses),
        ...details,
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
