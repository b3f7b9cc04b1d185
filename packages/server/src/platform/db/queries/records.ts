import { type InsertObject, sql, type UpdateObject } from 'kysely'
import type { Db } from '../open-database.ts'
import type { Keyed } from '../transactions/lock-row.ts'
import type { Tables } from '../types.ts'

/** Reads a record as answers show it. */
type Find<R> = (tx: Db, id: number) => Promise<R | undefined>

/** Inserts a record of an entity, and returns it. */
export const insertEntity = async <K extends Keyed, R>(
  tx: Db,
  { table, id: key }: K,
  values: InsertObject<Tables, K['table']>,
  find: Find<R>,
): Promise<R> => {
  // Kysely needs one table's name to type a query; each entity's table has a numeric id and `versao`.
  const { id } = await tx
    .insertInto(table as 'powerbi')
    .values(values as InsertObject<Tables, 'powerbi'>)
    .returning(sql.ref<number>(key).as('id'))
    .executeTakeFirstOrThrow()
  return written(await find(tx, id))
}

/** Changes the given columns of a record, raises its version, and returns it. */
export const updateEntity = async <K extends Keyed, R>(
  tx: Db,
  { table, id: key }: K,
  id: number,
  values: UpdateObject<Tables, K['table']>,
  find: Find<R>,
): Promise<R> => {
  await tx
    .updateTable(table as 'powerbi')
    .set((eb) => ({ ...(values as UpdateObject<Tables, 'powerbi'>), versao: eb('versao', '+', 1) }))
    .where(sql.ref(key), '=', id)
    .execute()
  return written(await find(tx, id))
}

const written = <R>(record: R | undefined): R => {
  if (record === undefined) throw new Error('A record that was just written does not exist.')
  return record
}
