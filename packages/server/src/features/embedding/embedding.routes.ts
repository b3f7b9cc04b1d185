import { parseFiltro, reportsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { assertMayView } from '../../access/may-view.ts'
import { viewerOf } from '../../access/visible-reports.ts'
import type { AuditEvent } from '../../audit/record-audit.ts'
import { identityOf } from '../../bi/effective-identity.ts'
import { registeredConnection } from '../../bi/registered-connection.ts'
import { createBoundedCache } from '../../bounded-cache.ts'
import { inBatches } from '../../db/in-batches.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { assertStillAllowed } from '../../http/still-allowed.ts'
import { notifyConnectionFailing } from '../../notifications/notify-connection-failing.ts'
import { Problem } from '../../problem.ts'
import { findViewableReports, insertView, subjectOf } from './embedding.repository.ts'

type Asked = Parameters<typeof findViewableReports>[1][number]
type Viewable = NonNullable<Awaited<ReturnType<typeof findViewableReports>>[number]>

export const embeddingRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, embedIssuer, now, recordAudit } = services
  const readReport = inBatches((asked: Asked[]) => findViewableReports(db, asked))
  /** Reports as people may see them, by the version that was read with the session when the call came. */
  const known = createBoundedCache<{ version: string; report: Viewable }>(5_000)
  const findReport = async (
    asked: Asked,
    { version, isFresh }: { version: string; isFresh: boolean },
  ): Promise<Viewable | undefined> => {
    const key = JSON.stringify(asked)
    const hit = known.get(key)
    if (isFresh && hit?.version === version) return hit.report
    const report = await readReport(asked)
    // A version that came meanwhile asks anew: what is kept may be younger than its version, never older.
    if (report) known.set(key, { version, report })
    return report
  }
  /** A token leaves only once it is on record; those of one moment are put there together. */
  const keep = inBatches(
    async (issued: AuditEvent[]) => {
      await recordAudit(db, issued)
      return issued
    },
    // While the database writes one batch, the next is gathered and sent.
    { largest: 100, atOnce: 2 },
  )

  serve(app, reportsApi.embed, async ({ body: address }, { user: caller, request, reply }) => {
    // Person and version were read before the body came, which may take its time: a right may be another by then.
    const isFresh = reply.elapsedTime < 1_000
    const user = isFresh ? caller : { ...caller, ...(await assertStillAllowed(db, request, now())) }
    const viewer = viewerOf(user)
    const report = await findReport({ ...viewer, ...address }, { version: user.versaoAcesso, isFresh })
    if (!report) {
      const subject = `${address.groupId}/${address.reportId}`
      await recordAudit(db, { action: 'embed.refused', idUsuario: user.idUsuario, subject, request })
      // Granted or not, there or not: to anybody but an ADMIN it is the same answer.
      throw new Problem(viewer.isAdmin ? 'nao_encontrado' : 'relatorio_sem_permissao')
    }
    const identity = identityOf(report, user)
    const filtros = report.filtro ? parseFiltro(report.filtro) : []
    const { idGrupo: groupId, reportId, idRelatorio } = report
    const issue = async () =>
      embedIssuer.issue({ connection: registeredConnection(report, services), groupId, reportId }, identity)
    const issued = await issue().catch(async (error: unknown) => {
      await notifyConnectionFailing(db, error, report, now()).catch((err: unknown) => {
        request.log.error({ err }, 'the administrators could not be told of a failing connection')
      })
      throw error
    })
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
    async ({ params, body }, { user }) => {
      const view = { idUsuario: user.idUsuario, idRelatorio: params.id, ...body }
      if (!(await insertView(db, view, now()))) throw new Problem('visualizacao_sem_abertura')
    },
    { authorize },
  )

  serve(app, reportsApi.checkAccess, () => {}, { authorize })
}
