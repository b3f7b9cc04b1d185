import { sql } from 'kysely'
import type { Sealed, Secrets } from '../../platform/config/secrets.ts'
import { inTransaction } from '../../platform/db/in-transaction.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { orUndefined } from '../../platform/lib/or-undefined.ts'
import { allSealedColumns, contextIn, identityOf, keyIdIn, type SealedCount } from './sealed-columns.ts'

type Column = SealedCount['column']

export interface Resealed {
  /** Values resealed with the current key. */
  done: Pick<SealedCount, 'column' | 'total'>[]
  /** Values that their key does not open: altered, moved or truncated. They are not changed. */
  broken: { column: Column; id: number }[]
}

const batchSize = 500

/**
 * Reseals with the current key the values of earlier keys, in batches. After an interruption every
 * value opens with a key of the ring, and the next run continues.
 */
export const resealAll = async (db: Db, secrets: Secrets): Promise<Resealed> => {
  const result: Resealed = { done: [], broken: [] }
  for (const column of allSealedColumns) {
    let total = 0
    for (let after: number | undefined = 0; after !== undefined; ) {
      const batch = await inTransaction(db, (tx) => resealBatch(tx, secrets, column, after ?? 0))
      total += batch.done
      result.broken.push(...batch.broken.map((id) => ({ column, id })))
      after = batch.last
    }
    if (total > 0) result.done.push({ column, total })
  }
  return result
}

const resealBatch = async (tx: Db, secrets: Secrets, column: Column, after: number) => {
  const { table, key } = column
  const { rows } = await sql<{ id: number; sealed: Sealed; identity: (number | string | null)[] | null }>`
    select ${sql.ref(key)} as id, ${sql.ref(column.column)} as sealed, ${identityOf(column)} as identity from ${sql.table(table)}
    where ${sql.ref(key)} > ${after} and ${keyIdIn(column)} <> ${secrets.sealingKeyIds[0]}
    order by ${sql.ref(key)} limit ${batchSize} for update`.execute(tx)
  const broken: number[] = []
  const resealed: { id: number; sealed: Sealed }[] = []
  for (const { id, sealed, identity } of rows) {
    const context = contextIn(column, identity)
    const plain = orUndefined(() => secrets.open(sealed, context))
    if (plain === undefined) broken.push(id)
    else resealed.push({ id, sealed: secrets.seal(plain, context) })
  }
  if (resealed.length > 0) {
    // One statement, because statement triggers would otherwise run for each row.
    await sql`update ${sql.table(table)} set ${sql.ref(column.column)} = resealed.sealed
      from unnest(${resealed.map(({ id }) => id)}::bigint[], ${resealed.map(({ sealed }) => sealed)}::text[])
        as resealed(id, sealed)
      where ${sql.ref(`${table}.${key}`)} = resealed.id`.execute(tx)
  }
  return { done: resealed.length, broken, last: rows.at(-1)?.id }
}

/** Discards the values of lost keys: empties the value, or deletes a row useless without it. */
export const discardLost = async (
  db: Db,
  secrets: Secrets,
): Promise<Pick<SealedCount, 'column' | 'total'>[]> =>
  inTransaction(db, async (tx) => {
    const known = sql.join([...secrets.sealingKeyIds])
    const gone = []
    for (const column of allSealedColumns) {
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
