import type { AccessAction } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import type { Access, CallContext, RecordAccess } from '../health-data/record-access.ts'

/** The audit subject of calls about several beneficiaries. */
export const REGISTRY_SUBJECT = 'beneficiarios'

interface Registered {
  id: number
}

export const accessTo = (acao: AccessAction, people: readonly Registered[]): Access[] =>
  people.map(({ id }) => ({ acao, objeto: 'beneficiario', idObjeto: id, beneficiario: id }))

/**
 * Logs that the caller learnt whether these people are registered: by a search, or by a refusal
 * such as 'this plan id is in use'.
 */
export const recordLookUp = (
  recordAccess: RecordAccess,
  tx: Db,
  context: CallContext,
  found: readonly Registered[],
): Promise<void> =>
  recordAccess(tx, context, accessTo('buscado', found), {
    action: 'beneficiary.read',
    subject: REGISTRY_SUBJECT,
    details: { busca: true, encontrados: found.length },
  })
