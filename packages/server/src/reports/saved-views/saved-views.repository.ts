import type { SavedView, SavedViewChange, SavedViewDraft } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'

/** The user and the report of a set of views. */
export interface ViewScope {
  idUsuario: number
  idRelatorio: number
}

const views = (db: Db, shelf: ViewScope) =>
  db
    .selectFrom('visaoSalva')
    .select(['idVisao', 'nome', 'padrao', 'pagina', 'filtros', 'marcador', 'versao'])
    .where(({ and }) => and({ ...shelf }))

export const listViews = (db: Db, shelf: ViewScope): Promise<SavedView[]> =>
  views(db, shelf).orderBy('nomeNatural').orderBy('idVisao').execute()

export const findView = (db: Db, shelf: ViewScope, idVisao: number): Promise<SavedView | undefined> =>
  views(db, shelf).where('idVisao', '=', idVisao).executeTakeFirst()

export const insertView = async (tx: Db, shelf: ViewScope, { filtros, ...draft }: SavedViewDraft) => {
  if (draft.padrao) await clearDefault(tx, shelf)
  const { idVisao } = await tx
    .insertInto('visaoSalva')
    .values({ ...shelf, ...draft, filtros: JSON.stringify(filtros) })
    .returning('idVisao')
    .executeTakeFirstOrThrow()
  return idVisao
}

/** Changes only the given fields. */
export const updateView = async (
  tx: Db,
  shelf: ViewScope,
  idVisao: number,
  { filtros, ...change }: SavedViewChange,
): Promise<void> => {
  if (change.padrao) await clearDefault(tx, shelf)
  await tx
    .updateTable('visaoSalva')
    .set((eb) => ({
      ...change,
      ...(filtros ? { filtros: JSON.stringify(filtros) } : {}),
      versao: eb('versao', '+', 1),
    }))
    .where(({ and }) => and({ idVisao, ...shelf }))
    .execute()
}

export const deleteView = async (tx: Db, shelf: ViewScope, idVisao: number): Promise<void> => {
  await tx
    .deleteFrom('visaoSalva')
    .where(({ and }) => and({ idVisao, ...shelf }))
    .execute()
}

const clearDefault = async (tx: Db, shelf: ViewScope): Promise<void> => {
  await tx
    .updateTable('visaoSalva')
    .set({ padrao: false })
    .where(({ and }) => and({ ...shelf, padrao: true }))
    .execute()
}
