import type { ListQuery } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { countRows, listPage } from '../../platform/db/queries/list-page.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import { isShownNotification, mentionSubject, replySubject } from '../../reports/index.ts'

/** Returns the user's notifications, newest first. */
export const listNotifications = (
  db: Db,
  idUsuario: number,
  { naoLidas, ...query }: ListQuery<never> & { naoLidas?: boolean | undefined },
) =>
  listPage(
    db,
    db
      .selectFrom('notificacao')
      .select(['idNotificacao', 'tipo', 'titulo', 'texto', 'rota', 'criadaEm', 'lidaEm'])
      .select(['idAlerta', 'alcance'])
      .where('idUsuario', '=', idUsuario)
      .where(isShownNotification)
      .$if(naoLidas === true, (own) => own.where('lidaEm', 'is', null))
      .$if(naoLidas === false, (own) => own.where('lidaEm', 'is not', null)),
    { query: { ...query, ordem: '-idade' }, orders: { idade: ['idNotificacao'] }, byDefault: '-idade' },
  )

export const countUnread = (db: Db, idUsuario: number): Promise<number> =>
  countRows(
    db
      .selectFrom('notificacao')
      .where('idUsuario', '=', idUsuario)
      .where('lidaEm', 'is', null)
      .where(isShownNotification),
  )

/**
 * Marks notifications that the person may see now: one about a comment that they may not read stays
 * unread until they may.
 * @param which those of `ids` and of the thread `idConversa`; without both, all. Ids of other users
 * are ignored
 */
export const markRead = async (
  tx: Db,
  idUsuario: number,
  which: { ids?: number[] | undefined; idConversa?: number | undefined },
  now: Date,
): Promise<void> => {
  const { ids, idConversa } = which
  const subjects = idConversa === undefined ? [] : [mentionSubject(idConversa), replySubject(idConversa)]
  const unread = tx
    .updateTable('notificacao')
    .set({ lidaEm: now })
    .where('idUsuario', '=', idUsuario)
    .where('lidaEm', 'is', null)
    .where(isShownNotification)
    .$if(ids !== undefined || idConversa !== undefined, (own) =>
      own.where(
        sql<boolean>`(id_notificacao = any(${ids ?? []}::bigint[]) or assunto = any(${subjects}::text[]))`,
      ),
    )
  if (!(await hasChanged(unread))) return
  // The user's other windows show the count too.
  await tx
    .updateTable('usuario')
    .set((eb) => ({ versaoNotificacoes: eb('versaoNotificacoes', '+', 1) }))
    .where('idUsuario', '=', idUsuario)
    .execute()
}
