import { favoritesApi, MAX_FAVORITES } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { createViewCheck } from '../visibility/may-view.ts'
import { viewerOf } from '../visibility/visible-reports.ts'
import {
  countFavorites,
  deleteFavorite,
  insertFavorite,
  listFavorites,
  orderFavorites,
} from './favorites.repository.ts'

export const favoritesRoutes = async (app: FastifyInstance, { db }: Services) => {
  /** Serialises the changes of a user's favourites, and audits those that changed something. */
  const changing = <T>(
    { user: { idUsuario }, write }: { user: Caller; write: Write },
    work: (tx: Db) => Promise<{ answer: T; details: Record<string, unknown> | undefined }>,
  ): Promise<T> =>
    write.exclusive(async (tx, audit) => {
      const { answer, details } = await work(tx)
      if (details) await audit('favorites.changed', `usuario:${idUsuario}`, details)
      return answer
    })

  serve(app, favoritesApi.list, (_, { user }) => listFavorites(db, viewerOf(user)))

  serve(
    app,
    favoritesApi.add,
    ({ params: { id } }, who) =>
      changing(who, async (tx) => {
        const isNew = await insertFavorite(tx, who.user.idUsuario, id)
        if (isNew && (await countFavorites(tx, who.user.idUsuario)) > MAX_FAVORITES) {
          throw new Problem('favoritos_demais')
        }
        const answer = await listFavorites(tx, viewerOf(who.user))
        return { answer, details: isNew ? { incluidos: [id] } : undefined }
      }),
    { authorize: createViewCheck(db) },
  )

  // Allowed for a report without grant too: the answer reveals nothing.
  serve(app, favoritesApi.remove, ({ params: { id } }, who) =>
    changing(who, async (tx) => {
      const wasOne = await deleteFavorite(tx, who.user.idUsuario, id)
      return { answer: undefined, details: wasOne ? { retirados: [id] } : undefined }
    }),
  )

  serve(app, favoritesApi.reorder, ({ body: { ids } }, who) =>
    changing(who, async (tx) => {
      const before = await listFavorites(tx, viewerOf(who.user))
      await orderFavorites(tx, who.user.idUsuario, ids)
      const answer = await listFavorites(tx, viewerOf(who.user))
      const order = answer.map(({ idRelatorio }) => idRelatorio)
      const isSame = before.every(({ idRelatorio }, at) => idRelatorio === order[at])
      return { answer, details: isSame ? undefined : { ordem: order } }
    }),
  )
}
