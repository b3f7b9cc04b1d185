import { isDeepStrictEqual } from 'node:util'
import { parseFiltro, reportsApi } from '@bi-manager/contract'
import { cacheLookups, renderedReports } from '@bi-manager/telemetry/events'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { assertMayView } from '../../access/may-view.ts'
import { viewerOf } from '../../access/visible-reports.ts'
import type { AuditEvent } from '../../audit/record-audit.ts'
import { createRefusalLimiter } from '../../audit/refusal-limiter.ts'
import { effectiveIdentityOf } from '../../bi/effective-identity.ts'
import { registeredConnection } from '../../bi/registered-connection.ts'
import { inBatches } from '../../db/in-batches.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import { Problem } from '../../lib/problem.ts'
import { notifyConnectionFailing } from '../../notifications/notify-connection-failing.ts'
import { findViewableReports, insertView, subjectOf } from './embedding.repository.ts'

/**
 * Reports whose refusal is audited per user and minute; a caller could otherwise flood the trail
 * with invented ids.
 */
const refusalsRecorded = 10

type Asked = Parameters<typeof findViewableReports>[1][number]
type Viewable = NonNullable<Awaited<ReturnType<typeof findViewableReports>>[number]>

export const embeddingRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, embedIssuer, now, recordAudit } = services
  const readReport = inBatches((asked: Asked[]) => findViewableReports(db, asked))
  /**
   * Visible reports, keyed by query. Valid for the access version read with the session of the
   * call.
   */
  const known = createBoundedCache<{ version: string; report: Viewable }>(5_000)
  const findReport = async (asked: Asked, version: string): Promise<Viewable | undefined> => {
    const key = JSON.stringify(asked)
    const hit = known.get(key)
    const isHit = hit?.version === version
    cacheLookups.publish({ cache: 'report_access', isHit })
    if (isHit) return hit.report
    const report = await readReport(asked)
    // The version was read before the report, so the entry may be newer than its version, never
    // older.
    if (report) known.set(key, { version, report })
    return report
  }
  const subjectToRecord = createRefusalLimiter(now, refusalsRecorded)
  /** A token is returned only after it is audited. Concurrent calls share one statement. */
  const keep = inBatches(
    async (issued: AuditEvent[]) => {
      await recordAudit(db, issued)
      return issued
    },
    // While the database writes one batch, the next one is collected and sent.
    { largest: 100, atOnce: 2 },
  )

  serve(app, reportsApi.embed, async ({ body: address }, { user, request }) => {
    const findFor = async (viewer: Caller): Promise<Viewable> => {
      const report = await findReport({ ...viewerOf(viewer), ...address }, viewer.versaoAcesso)
      if (report) return report
      const subject = subjectToRecord(user.idUsuario, `${address.groupId}/${address.reportId}`)
      if (subject) {
        await recordAudit(db, { action: 'embed.refused', idUsuario: user.idUsuario, subject, request })
      }
      // Same answer whether the report is missing or not granted, except to an ADMIN.
      throw new Problem(viewer.tipo === 'ADMIN' ? 'nao_encontrado' : 'relatorio_sem_permissao')
    }
    const report = await findFor(user)
    const identity = effectiveIdentityOf(report, user)
    const filtros = report.filtro ? parseFiltro(report.filtro) : []
    const { idGrupo: groupId, reportId, idRelatorio } = report
    const issue = async () =>
      embedIssuer.issue({ connection: registeredConnection(report, services), groupId, reportId }, identity)
    const issued = await issue().catch(async (error: unknown) => {
      await notifyConnectionFailing(db, error, report, now()).catch((err: unknown) => {
        request.log.error({ err }, 'failed to notify the administrators of a failing connection')
      })
      throw error
    })
    // Permissions may have changed while the provider answered, which can take seconds.
    const current = await app.judgeCallerAgain(request)
    const isChanged =
      current.versaoAcesso !== user.versaoAcesso ||
      !isDeepStrictEqual(effectiveIdentityOf(report, current), identity)
    if (isChanged) {
      const again = await findFor(current)
      const isSame = isDeepStrictEqual([again, effectiveIdentityOf(again, current)], [report, identity])
      if (!isSame) throw new Problem('servico_indisponivel', { retryAfter: 1 })
    }
    await keep({
      action: 'embed.issued',
      idUsuario: user.idUsuario,
      subject: subjectOf(idRelatorio),
      details: { tokenId: issued.tokenId, expiraEm: issued.expiration, identidade: identity ?? null },
      request,
    })
    return {
      embedToken: issued.token,
      embedUrl: issued.embedUrl,
      reportId,
      pageName: null,
      expiration: issued.expiration.toISOString(),
      idRelatorio,
      nomeRelatorio: report.nomeRelatorio,
      nomeGrupo: report.nomeGrupo,
      operadoraRelatorio: report.operadoraRelatorio,
      filtros,
    }
  })

  const authorize = assertMayView(db)
  serve(
    app,
    reportsApi.recordView,
    async ({ params, body }, { user, write }) => {
      const view = { idUsuario: user.idUsuario, idRelatorio: params.id, ...body }
      if (!(await write((tx) => insertView(tx, view, now())))) throw new Problem('visualizacao_sem_abertura')
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
