import { randomUUID } from 'node:crypto'
import { type ReportExportRequest, reportExportsApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ConnectionServices, effectiveIdentityOf, mayHaveRun } from '../../connections/index.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { serve } from '../../platform/http/serve.ts'
import { peek } from '../../platform/lib/peek.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { choiceTrail } from '../activity/choice-trail.ts'
import { addUsageEvents } from '../usage/usage-events.ts'
import { createViewCheck } from '../visibility/may-view.ts'
import { viewerOf } from '../visibility/visible-reports.ts'
import { assertExportQuota, TooManyExports } from './export-limits.ts'
import { BEGINNING, exportScope, fileHeaders, isOfFormat, progressOf } from './export-order.ts'
import type { ExportableReport } from './exportable-report.ts'
import {
  acceptExport,
  cancelExport,
  endExport,
  findExport,
  findExportableReport,
  insertExport,
  listOpenExports,
  type OpenExport,
} from './report-exports.repository.ts'
import { exportAddress, startExport } from './start-export.ts'

type FollowedExport = Pick<OpenExport, 'idExportacao' | 'externo' | 'encerradaEm'>

interface CallContext {
  user: Caller
  request: FastifyRequest
}

export const reportExportsRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { capacityGate, db, powerBi, secrets, now } = services
  const authorize = createViewCheck(db)

  const scopeOf = (report: ExportableReport, user: Caller): string =>
    secrets.digest(exportScope(report, effectiveIdentityOf(report, user)))

  const getReport = async (id: number, user: Caller): Promise<ExportableReport> => {
    // It may have been deleted or revoked after the permission check.
    return orNotFound(await findExportableReport(db, viewerOf(user), id))
  }

  serve(
    app,
    reportExportsApi.start,
    async ({ params: { id }, body }, context) => {
      const report = await getReport(id, context.user)
      const { idUsuario } = context.user
      const idExportacao = randomUUID()
      const alcance = scopeOf(report, context.user)
      const book = () =>
        context.write.exclusive(async (tx) => {
          await assertExportQuota(tx, idUsuario, now())
          const { formato } = body
          const booking = { idExportacao, idUsuario, idRelatorio: id, formato, alcance, pedidaEm: now() }
          await insertExport(tx, booking)
        })
      await bookOrEndOthers(context, book)
      const job = await askProvider(report, body, context.user).catch(async (error: unknown) => {
        // The provider may still have started the export.
        if (!mayHaveRun('startExport', error))
          await endExport(db, idExportacao, { encerradaEm: now(), falhou: true })
        throw error
      })
      // A started export counts and is audited, even if the user was blocked in the meantime.
      const isAccepted = await inTransaction(db, async (tx) => {
        const { formato, pagina, visual } = body
        const identidade = effectiveIdentityOf(report, context.user) ?? null
        const details = {
          idExportacao,
          formato,
          pagina,
          ...choiceTrail(body),
          identidade,
          ...(visual === null ? {} : { visual }),
        }
        await context.auditIn(tx, 'export.requested', `relatorio:${id}`, details)
        const events = [{ tipo: 'exportacao' as const, nome: body.formato }]
        await addUsageEvents(tx, { idUsuario, idRelatorio: id, events }, now())
        return acceptExport(tx, idExportacao, job.id)
      })
      if (!isAccepted) throw new Problem('exportacao_inexistente')
      await capacityGate.noteUse(report.idPowerBi)
      await cancelIfNoLongerAllowed(context, idExportacao)
      return progressOf(idExportacao, job)
    },
    { authorize },
  )

  /** Books an export. At the limit, first ends those that are over at the provider, and tries again. */
  const bookOrEndOthers = (context: CallContext, book: () => Promise<void>): Promise<void> =>
    book().catch(async (error: unknown) => {
      if (!(error instanceof TooManyExports) || !(await endWhatIsOver(context))) throw error
      await book()
    })

  /** A caller who may no longer export cannot fetch the file. */
  const cancelIfNoLongerAllowed = async (
    { write }: { write: Write },
    idExportacao: string,
  ): Promise<void> => {
    try {
      await write.checkCaller()
    } catch (refusal) {
      await cancelExport(db, idExportacao, now())
      throw refusal
    }
  }

  const askProvider = (report: ExportableReport, { visual, ...asked }: ReportExportRequest, user: Caller) =>
    startExport(
      services,
      report,
      { ...asked, visuais: visual === null ? [] : [visual] },
      {
        identity: effectiveIdentityOf(report, user),
        requestedFor: secrets.digest(`exportacoes:${user.idUsuario}`),
        person: user.nomeUsuario,
      },
    )

  const addressOf = (report: OpenExport | ExportableReport) => exportAddress(report, services)

  /** Returns the provider's state of the job, and ends an export that is over or unknown there. */
  const jobOf = async (
    { idExportacao, externo, encerradaEm }: FollowedExport,
    { connection, ...address }: ReturnType<typeof addressOf>,
  ) => {
    try {
      const { answer: job, retryAfter } = await powerBi.getExport(connection, address, externo)
      const isOver = job.status === 'Succeeded' || job.status === 'Failed'
      const falhou = job.status === 'Failed'
      if (isOver && encerradaEm === null) await endExport(db, idExportacao, { encerradaEm: now(), falhou })
      return { job, retryAfter, isOver }
    } catch (error) {
      // Without its file: an export that is known to have ended keeps its end.
      if (isForgotten(error)) await endExport(db, idExportacao, { encerradaEm: now(), falhou: true })
      throw error
    }
  }

  /** Asks the provider whether the user's exports have ended. @returns whether one has */
  const endWhatIsOver = async ({ user: { idUsuario }, request }: CallContext): Promise<boolean> => {
    const hasEnded = async (row: OpenExport): Promise<boolean> => {
      try {
        return (await jobOf(row, addressOf(row))).isOver
      } catch (err) {
        if (isForgotten(err)) return true
        request.log.warn({ err }, 'an export still counts: its state at the provider is unknown')
        return false
      }
    }
    const rows = await listOpenExports(db, idUsuario)
    return (await Promise.all(rows.map(hasEnded))).includes(true)
  }

  /** Returns the user's export with its current state at the provider. */
  const follow = async ({ id, idExportacao }: { id: number; idExportacao: string }, user: Caller) => {
    const report = await getReport(id, user)
    const row = await findExport(db, { idExportacao, idUsuario: user.idUsuario, idRelatorio: id })
    if (!row || row.alcance !== scopeOf(report, user)) throw new Problem('exportacao_inexistente')
    const { connection, ...address } = addressOf(report)
    const { job, retryAfter } = await jobOf(row, { connection, ...address })
    await capacityGate.noteUse(report.idPowerBi)
    const isPaginated = report.tipoRelatorio === 'PAGINADO'
    const progress = progressOf(idExportacao, job, { isPaginated, retryAfter })
    const fetchFile = () => powerBi.exportedFile(connection, address, job.id)
    return { report, formato: row.formato, progress, fetchFile }
  }

  serve(app, reportExportsApi.get, async ({ params }, { user }) => (await follow(params, user)).progress, {
    authorize,
  })

  serve(
    app,
    reportExportsApi.file,
    async ({ params }, { user, auditIn, reply }) => {
      const { report, formato, progress, fetchFile } = await follow(params, user)
      if (progress.estado !== 'PRONTA') {
        throw new Problem('exportacao_nao_pronta', progress.motivo ? { detail: progress.motivo } : {})
      }
      const { chunks, size } = await fetchFile()
      const { beginning, whole } = await peek(chunks, BEGINNING)
      try {
        if (!isOfFormat(beginning, formato))
          throw new Problem('bi_resposta_invalida', { cause: 'no such file' })
        const { idExportacao } = params
        const details = { idExportacao, formato, bytes: size ?? null }
        await inTransaction(db, (tx) => auditIn(tx, 'export.downloaded', `relatorio:${params.id}`, details))
      } catch (error) {
        whole.destroy()
        throw error
      }
      reply.headers(fileHeaders(report.nomeRelatorio, formato))
      return whole
    },
    { authorize },
  )

  serve(
    app,
    reportExportsApi.cancel,
    async ({ params: { id, idExportacao } }, { user: { idUsuario }, write }) => {
      const row = await findExport(db, { idExportacao, idUsuario, idRelatorio: id })
      if (!row) throw new Problem('exportacao_inexistente')
      await write((tx) => cancelExport(tx, idExportacao, now()))
    },
    { authorize },
  )
}

const codeOf = (error: unknown) => (error instanceof Problem ? error.codigo : undefined)
const isForgotten = (error: unknown): boolean => codeOf(error) === 'exportacao_inexistente'
