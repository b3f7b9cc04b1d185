import { randomUUID } from 'node:crypto'
import { type AuditAction, type ReportExportRequest, reportExportsApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertMayView } from '../../access/may-view.ts'
import { viewerOf } from '../../access/visible-reports.ts'
import { identityOf } from '../../bi/effective-identity.ts'
import { registeredConnection } from '../../bi/registered-connection.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import type { Caller } from '../../http/caller.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'
import { assertMayExport, givenUpMs } from './export-limits.ts'
import { exportFilter, exportScope, fileHeaders, isOfFormat, progressOf } from './export-order.ts'
import {
  acceptExport,
  type ExportableReport,
  endExport,
  findExport,
  findExportableReport,
  giveUpExport,
  insertExport,
} from './report-exports.repository.ts'

interface Who {
  user: Caller
  request: FastifyRequest
}

export const reportExportsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, embedIssuer, powerBi, secrets, recordAudit, now } = services
  const authorize = assertMayView(db)

  const scopeOf = (report: ExportableReport, user: Caller): string =>
    secrets.digest(exportScope(report, identityOf(report, user)))

  const getReport = async (id: number, user: Caller): Promise<ExportableReport> => {
    const report = await findExportableReport(db, viewerOf(user), id)
    // It went between the judgement of the call and here.
    if (!report) throw new Problem('nao_encontrado')
    return report
  }

  const audit = (tx: Db, action: AuditAction, { user, request }: Who, id: number, details: object) =>
    recordAudit(tx, {
      action,
      idUsuario: user.idUsuario,
      subject: `relatorio:${id}`,
      details: { ...details },
      request,
    })

  serve(
    app,
    reportExportsApi.start,
    async ({ params: { id }, body }, who) => {
      const report = await getReport(id, who.user)
      const { idUsuario } = who.user
      const idExportacao = randomUUID()
      const alcance = scopeOf(report, who.user)
      await inTransaction(db, async (tx) => {
        await lockRow(tx, 'usuario', idUsuario)
        await assertMayExport(tx, idUsuario, now())
        const { formato } = body
        await insertExport(tx, { idExportacao, idUsuario, idRelatorio: id, formato, alcance }, now())
      })
      try {
        const job = await askProvider(report, body, who.user)
        await inTransaction(db, async (tx) => {
          if (!(await acceptExport(tx, idExportacao, job.id))) throw new Problem('exportacao_inexistente')
          const { marcador, ...asked } = body
          const identidade = identityOf(report, who.user) ?? null
          const details = { idExportacao, ...asked, comMarcador: marcador !== null, identidade }
          await audit(tx, 'export.requested', who, id, details)
        })
        return progressOf(idExportacao, job)
      } catch (error) {
        await endExport(db, idExportacao, now())
        throw error
      }
    },
    { authorize },
  )

  const askProvider = async (report: ExportableReport, body: ReportExportRequest, user: Caller) => {
    const identity = identityOf(report, user)
    const address = addressOf(report)
    // A dataset that demands an identity gets none of its rows drawn without one, as in the embed token.
    const datasetId = await embedIssuer.datasetFor(address, identity)
    return powerBi.startExport(address.connection, address, {
      format: body.formato,
      pageName: body.pagina ?? undefined,
      bookmark: body.marcador ?? undefined,
      filter: exportFilter(report.filtro, body.filtros),
      datasetId,
      identity,
    })
  }

  const addressOf = (report: ExportableReport) => {
    const { groupId, reportId } = report
    return { connection: registeredConnection(report, services), groupId, reportId }
  }

  /** One's own export as the provider has it now. */
  const follow = async ({ id, idExportacao }: { id: number; idExportacao: string }, user: Caller) => {
    const report = await getReport(id, user)
    const row = await findExport(db, { idExportacao, idUsuario: user.idUsuario, idRelatorio: id })
    if (!row?.externo || row.alcance !== scopeOf(report, user)) throw new Problem('exportacao_inexistente')
    const { connection, ...address } = addressOf(report)
    const job = await powerBi.getExport(connection, address, row.externo)
    const progress = progressOf(idExportacao, job)
    const isOver = progress.estado === 'PRONTA' || progress.estado === 'FALHOU'
    if (isOver && row.encerradaEm === null) await endExport(db, idExportacao, now())
    const fetchFile = () => powerBi.exportedFile(connection, address, job.id)
    return { report, formato: row.formato, progress, fetchFile }
  }

  serve(app, reportExportsApi.get, async ({ params }, { user }) => (await follow(params, user)).progress, {
    authorize,
  })

  serve(
    app,
    reportExportsApi.file,
    async ({ params }, { user, request, reply }) => {
      const { report, formato, progress, fetchFile } = await follow(params, user)
      if (progress.estado !== 'PRONTA') {
        throw new Problem('exportacao_nao_pronta', progress.motivo ? { detail: progress.motivo } : {})
      }
      const bytes = await fetchFile()
      if (!isOfFormat(bytes, formato)) throw new Problem('bi_resposta_invalida', { cause: 'no such file' })
      const { idExportacao } = params
      const details = { idExportacao, formato, bytes: bytes.length }
      await inTransaction(db, (tx) => audit(tx, 'export.downloaded', { user, request }, params.id, details))
      reply.headers(fileHeaders(report.nomeRelatorio, formato))
      return bytes
    },
    { authorize },
  )

  serve(
    app,
    reportExportsApi.cancel,
    async ({ params: { id, idExportacao } }, { user: { idUsuario } }) => {
      const row = await findExport(db, { idExportacao, idUsuario, idRelatorio: id })
      if (!row) throw new Problem('exportacao_inexistente')
      await giveUpExport(db, idExportacao, row.encerradaEm ?? new Date(now().getTime() + givenUpMs))
    },
    { authorize },
  )
}
