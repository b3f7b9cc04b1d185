import { sql } from 'kysely'
import type { Encrypted, Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { orUndefined } from '../../platform/lib/or-undefined.ts'
import {
  allEncryptedColumns,
  contextIn,
  type EncryptedCount,
  identityOf,
  keyIdIn,
} from './encrypted-columns.ts'

type Column = EncryptedCount['column']

interface Reencrypted {
  /** Values re-encrypted with the current key. */
  done: Pick<EncryptedCount, 'column' | 'total'>[]
  /** Values that their key does not open: altered, moved or truncated. They are not changed. */
  broken: { column: Column; id: number }[]
}

const batchSize = 500

/**
 * Reseals with the current key the values of earlier keys, in batches. After an interruption every
 * value opens with a key of the ring, and the next run continues.
 */
export const reencryptAll = async (db: Db, secrets: Secrets): Promise<Reencrypted> => {
  const result: Reencrypted = { done: [], broken: [] }
  for (const column of allEncryptedColumns) {
    let total = 0
    for (let after: number | undefined = 0; after !== undefined; ) {
      const batch = await inTransaction(db, (tx) => reencryptBatch(tx, secrets, column, after ?? 0))
      total += batch.done
      result.broken.push(...batch.broken.map((id) => ({ column, id })))
      after = batch.last
    }
    if (total > 0) result.done.push({ column, total })
  }
  return result
}

const reencryptBatch = async (tx: Db, secrets: Secrets, column: Column, after: number) => {
  const { table, key } = column
  const { rows } = await sql<{
    id: number
    encrypted: Encrypted
    identity: (number | string | null)[] | null
  }>`
    select ${sql.ref(key)} as id, ${sql.ref(column.column)} as encrypted, ${identityOf(column)} as identity from ${sql.table(table)}
    where ${sql.ref(key)} > ${after} and ${keyIdIn(column)} <> ${secrets.encryptionKeyIds[0]}
    order by ${sql.ref(key)} limit ${batchSize} for update`.execute(tx)
  const broken: number[] = []
  const reencrypted: { id: number; encrypted: Encrypted }[] = []
  for (const { id, encrypted, identity } of rows) {
    const context = contextIn(column, identity)
    const plain = orUndefined(() => secrets.decrypt(encrypted, context))
    if (plain === undefined) broken.push(id)
    else reencrypted.push({ id, encrypted: secrets.encrypt(plain, context) })
  }
  if (reencrypted.length > 0) {
    // One statement, because statement triggers would otherwise run for each row.
    await sql`update ${sql.table(table)} set ${sql.ref(column.column)} = reencrypted.encrypted
      from unnest(${reencrypted.map(({ id }) => id)}::bigint[], ${reencrypted.map(({ encrypted }) => encrypted)}::text[])
        as reencrypted(id, encrypted)
      where ${sql.ref(`${table}.${key}`)} = reencrypted.id`.execute(tx)
  }
  return { done: reencrypted.length, broken, last: rows.at(-1)?.id }
}

/** Discards the values of lost keys: empties the value, or deletes a row useless without it. */
export const discardLost = async (
  db: Db,
  secrets: Secrets,
): Promise<Pick<EncryptedCount, 'column' | 'total'>[]> =>
  inTransaction(db, async (tx) => {
    const known = sql.join([...secrets.encryptionKeyIds])
    const gone = []
    for (const column of allEncryptedColumns) {
      const { numAffectedRows } = column.dropsRow
        ? await sql`delete from ${sql.table(column.table)} where ${keyIdIn(column)} not in (${known})`.execute(
            tx,
          )
        : await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ''
              where ${keyIdIn(column)} not in (${known})`.execute(tx)
      const total = Number(numAffectedRows ?? 0)
      if (total > 0) gone.push({ column, total })
    }
    return gone
  })
