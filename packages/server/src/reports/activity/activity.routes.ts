import { activityApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { findSignInBefore, listAccountEvents, listRecentReports } from './activity.repository.ts'
import { textOf } from './activity.texts.ts'

export const activityRoutes = async (app: FastifyInstance, { db }: Pick<Services, 'db'>) => {
  serve(app, activityApi.own, async (_, { user }) => {
    const { idUsuario } = user
    const [before, reports, events] = await Promise.all([
      findSignInBefore(db, user),
      listRecentReports(db, user),
      listAccountEvents(db, idUsuario),
    ])
    return {
      ultimoAcesso: before?.toISOString() ?? null,
      relatoriosRecentes: reports.map(({ data, ...report }) => ({ ...report, data: data.toISOString() })),
      eventos: events.flatMap(({ acao, detalhes, endereco, quando, idUsuario: by, nomeAutor }) => {
        const isOwn = by === idUsuario
        const text = textOf({ acao, detalhes, isOwn, nomeAutor })
        if (text === undefined) return []
        // An administrator's address is not shown to the user.
        const from = endereco && (isOwn || by === null) ? ` (de ${endereco})` : ''
        return [{ tipo: acao, descricao: text + from, data: quando.toISOString() }]
      }),
    }
  })
}
