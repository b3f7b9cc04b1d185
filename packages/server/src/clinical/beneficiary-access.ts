import type { AccessAction } from '@bi-manager/contract'
import type { Db } from '../db/open-database.ts'
import type { Access, RecordAccess } from './record-access.ts'

/** Who calls, and with which request. */
export type CallContext = Pick<Parameters<RecordAccess>[1], 'user' | 'request'>

/** What the audit calls it when it is about several. */
export const wholeRegistry = 'beneficiarios'

interface Registered {
  id: number
}

export const accessTo = (acao: AccessAction, people: readonly Registered[]): Access[] =>
  people.map(({ id }) => ({ acao, objeto: 'beneficiario', idObjeto: id, beneficiario: id }))

/**
 * Puts on record of whom it was asked whether they are registered: by a search, and by whatever else tells it, such as a refusal
 * because an id is taken.
 */
export const recordLookUp = (
  recordAccess: RecordAccess,
  tx: Db,
  { user, request }: CallContext,
  found: readonly Registered[],
): Promise<void> =>
  recordAccess(tx, {
    user,
    request,
    accesses: accessTo('buscado', found),
    audit: {
      action: 'beneficiary.read',
      subject: wholeRegistry,
      details: { busca: true, encontrados: found.length },
    },
  })
