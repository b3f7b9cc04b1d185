import { sql } from 'kysely'
import type { Db } from '../open-database.ts'
import type { Tables } from '../types.ts'

/** A table and its key: an entity of the contract. */
export type Keyed = { [T in keyof Tables]: { table: T; id: keyof Tables[T] & string } }[keyof Tables]

/**
 * Locks the row until the transaction ends: reads after this call see its current state, and other
 * writers wait.
 * @returns false when the row does not exist
 */
export const lockRow = async (tx: Db, entity: Keyed, id: number): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from ${sql.table(entity.table)} where ${sql.ref(entity.id)} = ${id} for update`.execute(tx)
  return rows.length > 0
}

export const deleteRow = async (tx: Db, { table, id: key }: Keyed, id: number): Promise<void> => {
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(tx)
}
