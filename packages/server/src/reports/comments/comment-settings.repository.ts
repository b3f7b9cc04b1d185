import type { CommentSettings } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'

export const getSettings = (db: Db): Promise<CommentSettings> =>
  db.selectFrom('configuracao').select('comentarios').executeTakeFirstOrThrow()

/** The version tells open windows and the reports that the portal remembers. */
export const updateSettings = (tx: Db, { comentarios }: CommentSettings): Promise<boolean> =>
  hasChanged(
    tx
      .updateTable('configuracao')
      .set((eb) => ({ comentarios, versao: eb('versao', '+', 1) }))
      .where('comentarios', '<>', comentarios),
  )
