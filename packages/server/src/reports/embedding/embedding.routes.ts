import { reportsApi } from '@bi-manager/contract'
import { renderedReports } from '@bi-manager/telemetry/events'
import type { FastifyInstance } from 'fastify'
import type { ConnectionServices } from '../../connections/index.ts'
import { serve } from '../../platform/http/serve.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { createViewCheck } from '../visibility/may-view.ts'
import { insertView, subjectOf } from './embedding.repository.ts'
import { createReportOpener } from './open-report.ts'

export const embeddingRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, now } = services
  const openReport = createReportOpener(app, services)

  serve(app, reportsApi.embed, ({ body: address }, { user, request }) =>
    openReport({ address, user, request }),
  )

  const authorize = createViewCheck(db)
  serve(
    app,
    reportsApi.recordView,
    async ({ params, body }, { user, write }) => {
      const view = { idUsuario: user.idUsuario, idRelatorio: params.id, ...body }
      await write(async (tx, audit) => {
        const token = await insertView(tx, view, now())
        if (token === 'none') throw new Problem('visualizacao_sem_abertura')
        // A prefetched token was audited before the person opened the report.
        if (token === 'prefetched') await audit('embed.issued', subjectOf(params.id), { preparado: true })
      })
      const { carregadoMs, renderizadoMs } = body
      renderedReports.publish({
        loadedSeconds: carregadoMs / 1000,
        renderedSeconds: renderizadoMs / 1000,
      })
    },
    { authorize },
  )

  serve(app, reportsApi.checkAccess, () => {}, { authorize })
}
