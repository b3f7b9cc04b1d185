import type { Appearance } from '@bi-manager/contract'
import type { UpdateObject } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import type { Tables } from '../../platform/db/types.ts'

const columns = ['nome', 'cor', 'logoMarca as logo', 'versao'] as const

export const getAppearance = (db: Db): Promise<Appearance> =>
  db.selectFrom('aparencia').select(columns).executeTakeFirstOrThrow()

/** Returns the look, and locks it until the transaction ends. */
export const lockAppearance = (tx: Db): Promise<Appearance> =>
  tx.selectFrom('aparencia').select(columns).forUpdate().executeTakeFirstOrThrow()

type Change = Pick<UpdateObject<Tables, 'aparencia'>, 'nome' | 'cor' | 'logo' | 'logoMarca'>

/** Returns undefined when the version does not match. */
export const updateAppearance = (
  tx: Db,
  change: Change,
  ifMatch: number | undefined,
): Promise<Appearance | undefined> =>
  tx
    .updateTable('aparencia')
    .set((eb) => ({ ...change, versao: eb('versao', '+', 1) }))
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning(columns)
    .executeTakeFirst()

/** Returns the logo with this content hash; undefined when another one has replaced it. */
export const findLogo = async (db: Db, marca: string): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('aparencia')
    .select('logo')
    .where('logoMarca', '=', marca)
    .executeTakeFirst()
  return row?.logo ? Buffer.from(row.logo) : undefined
}
