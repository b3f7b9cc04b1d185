import { explainMissedUpdate } from '../audit/record-change.ts'
import type { Db } from '../db/open-database.ts'
import { type Keyed, lockRow } from '../db/transactions/lock-row.ts'

/**
 * Locks a record until the transaction ends, and returns its state from then on.
 * @param ifMatch the version that the caller's change is based on
 * @throws Problem 404 when the record does not exist, 412 when it has another version
 */
export const lockEntity = async <R extends { versao: number }>(
  tx: Db,
  entity: Keyed & { kind: string },
  id: number,
  find: (tx: Db, id: number) => Promise<R | undefined>,
  ifMatch?: number,
): Promise<R> => {
  await lockRow(tx, entity, id)
  const record = await find(tx, id)
  if (record && (ifMatch === undefined || ifMatch === record.versao)) return record
  throw await explainMissedUpdate(tx, { exists: !!record, subject: `${entity.kind}:${id}`, ifMatch })
}
