import { sql } from 'kysely'
import type { Sealed, Secrets } from '../config/secrets.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open-database.ts'
import { allSealedColumns, identityOf, keyIdIn, placeIn, type SealedCount } from './sealed-columns.ts'

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
  const anew: { id: number; sealed: Sealed }[] = []
  for (const { id, sealed, identity } of rows) {
    const place = placeIn(column, identity)
    const plain = openedOrNot(secrets, sealed, place)
    if (plain === undefined) broken.push(id)
    else anew.push({ id, sealed: secrets.seal(plain, place) })
  }
  if (anew.length > 0) {
    // One statement, because statement triggers would otherwise run for each row.
    await sql`update ${sql.table(table)} set ${sql.ref(column.column)} = anew.sealed
      from unnest(${anew.map(({ id }) => id)}::bigint[], ${anew.map(({ sealed }) => sealed)}::text[])
        as anew(id, sealed)
      where ${sql.ref(`${table}.${key}`)} = anew.id`.execute(tx)
  }
  return { done: anew.length, broken, last: rows.at(-1)?.id }
}

const openedOrNot = (secrets: Secrets, sealed: Sealed, place: string | undefined): string | undefined => {
  try {
    return secrets.open(sealed, place)
  } catch {
    return undefined
  }
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
      const { numAffectedRows } =
        column.withoutIt === 'row goes'
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
