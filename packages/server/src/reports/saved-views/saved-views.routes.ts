import {
  type AuditAction,
  SAVED_VIEWS,
  type SavedView,
  type SavedViewChange,
  savedViewsApi,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { choiceTrail } from '../activity/choice-trail.ts'
import { createViewCheck } from '../visibility/may-view.ts'
import {
  deleteView,
  findView,
  insertView,
  listViews,
  updateView,
  type ViewScope,
} from './saved-views.repository.ts'

interface Change {
  params: { id: number }
  user: Caller
  write: Write
}

export const savedViewsRoutes = async (app: FastifyInstance, { db }: Services) => {
  const authorize = createViewCheck(db)
  const shelfOf = ({ id }: { id: number }, { idUsuario }: Caller): ViewScope => ({
    idUsuario,
    idRelatorio: id,
  })

  /** Serialises the changes of a user's views, and audits each. */
  const changing = <T>(
    { params, user, write }: Change,
    action: AuditAction,
    work: (tx: Db, shelf: ViewScope) => Promise<{ answer: T; details: Record<string, unknown> }>,
  ): Promise<T> =>
    write.exclusive(async (tx, audit) => {
      const { answer, details } = await work(tx, shelfOf(params, user))
      await audit(action, `relatorio:${params.id}`, details)
      return answer
    })

  serve(app, savedViewsApi.list, ({ params }, { user }) => listViews(db, shelfOf(params, user)), {
    authorize,
  })

  serve(
    app,
    savedViewsApi.create,
    ({ params, body }, who) =>
      changing({ params, ...who }, 'view.created', async (tx, shelf) => {
        const idVisao = await insertView(tx, shelf, body)
        const all = await listViews(tx, shelf)
        if (all.length > SAVED_VIEWS) throw new Problem('visoes_demais')
        const answer = await getView(tx, shelf, idVisao)
        return { answer, details: traceOf(answer, body) }
      }),
    { authorize },
  )

  serve(
    app,
    savedViewsApi.update,
    ({ params, body }, who) =>
      changing({ params, ...who }, 'view.changed', async (tx, shelf) => {
        const { versao } = await getView(tx, shelf, params.idVisao)
        if ((ifMatchOf(who.request) ?? versao) !== versao) {
          throw new Problem('versao_antiga', { detail: 'Esta visão foi alterada em outra janela.' })
        }
        await updateView(tx, shelf, params.idVisao, body)
        const answer = await getView(tx, shelf, params.idVisao)
        return { answer, details: traceOf(answer, body) }
      }),
    { authorize },
  )

  serve(
    app,
    savedViewsApi.remove,
    async ({ params }, who) => {
      await changing({ params, ...who }, 'view.deleted', async (tx, shelf) => {
        const before = await getView(tx, shelf, params.idVisao)
        await deleteView(tx, shelf, params.idVisao)
        return { answer: undefined, details: traceOf(before, {}) }
      })
    },
    { authorize },
  )
}

const getView = async (db: Db, shelf: ViewScope, idVisao: number): Promise<SavedView> => {
  return orNotFound(await findView(db, shelf, idVisao))
}

/** Returns the audit details. */
const traceOf = ({ idVisao, nome }: SavedView, { marcador, filtros, ...change }: SavedViewChange) => ({
  idVisao,
  ...change,
  nome,
  ...choiceTrail({ filtros, marcador }),
})
