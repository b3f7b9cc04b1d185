import { publishedReportsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../platform/http/serve.ts'
import { assertProduction } from '../platform/installation/test-environment.ts'
import { getDraftCaller, getLocalConnection } from './local-connection.ts'
import { auditedPublication, ownLines } from './publication-audit.ts'
import { forgettingLastFile } from './schedules.repository.ts'
import type { PublishingServices } from './services.ts'

/** Published reports of the local service, and their versions. */
export const publishedReportsRoutes = async (app: FastifyInstance, services: PublishingServices) => {
  const { db, published } = services

  serve(app, publishedReportsApi.list, async () => {
    const connection = await getLocalConnection(services)
    const [reports, registered] = await Promise.all([
      published.list(connection),
      db
        .selectFrom('relatorio')
        .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
        .select(['reportId', 'idRelatorio'])
        .where('idPowerBi', '=', connection.id)
        .orderBy('idRelatorio', 'desc')
        .execute(),
    ])
    const ids = new Map(registered.map((row) => [row.reportId.toLowerCase(), row.idRelatorio]))
    return reports
      .map((report) => ({ ...report, idRelatorio: ids.get(report.reportId.toLowerCase()) ?? null }))
      .toSorted((one, other) => one.nome.localeCompare(other.nome, 'pt-BR'))
  })

  serve(app, publishedReportsApi.versions, async ({ params: { reportId } }) =>
    published.versions(await getLocalConnection(services), reportId),
  )

  serve(app, publishedReportsApi.tables, async ({ params: { reportId } }) =>
    published.tables(await getLocalConnection(services), reportId),
  )

  serve(
    app,
    publishedReportsApi.checkData,
    async ({ params: { reportId }, body }, { user, write, request }) => {
      const caller = await getDraftCaller(services, user)
      const { rascunho, tabela } = body
      const details = { reportId, rascunho, tabela }
      await write((_, audit) => audit('publication.data-checked', `powerbi:${caller.connection.id}`, details))
      const checked = await published.checkData(caller, reportId, { ...body, autor: '' })
      // The answer tells about published rows, and the service may take seconds.
      await app.checkCallerAgain(request)
      return checked
    },
  )

  serve(
    app,
    publishedReportsApi.replaceData,
    async ({ params: { reportId }, body }, { user, write, auditIn, request }) => {
      await assertProduction(db)
      const caller = await getDraftCaller(services, user)
      const { rascunho: _rascunho, tabela, tipos, escalas, linhasNoCabecalho, ...read } = body
      const details = {
        reportId,
        tabela,
        ...(Object.keys(tipos).length > 0 && { tipos }),
        ...(Object.keys(escalas).length > 0 && { escalas }),
        ...read,
        ...(read.linhaDoCabecalho !== undefined && { linhasNoCabecalho }),
      }
      const subject = `powerbi:${caller.connection.id}`
      const order = { action: 'publication.data-replaced' as const, subject, details }
      return auditedPublication(
        { db, connection: caller.connection, log: request.log },
        ownLines(db, { write, auditIn }),
        order,
        () =>
          forgettingLastFile(db, [reportId], () =>
            published.replaceData(caller, reportId, { ...body, autor: user.nomeUsuario }),
          ),
      )
    },
  )

  serve(
    app,
    publishedReportsApi.restore,
    async ({ params, body: { comDados } }, { user, write, auditIn, request }) => {
      await assertProduction(db)
      const connection = await getLocalConnection(services)
      const { reportId, numero } = params
      const details = { reportId, versao: numero, comDados }
      const order = { action: 'publication.restored' as const, subject: `powerbi:${connection.id}`, details }
      const restore = () => published.restore(connection, params, { comDados, autor: user.nomeUsuario })
      return auditedPublication(
        { db, connection, log: request.log },
        ownLines(db, { write, auditIn }),
        order,
        () => (comDados ? forgettingLastFile(db, [reportId], restore) : restore()),
      )
    },
  )
}
