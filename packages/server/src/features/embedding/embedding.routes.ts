import { parseFiltro, reportsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { viewerOf } from '../../access/visible-reports.ts'
import type { EffectiveIdentity } from '../../bi/power-bi-api.ts'
import { registeredConnection } from '../../bi/registered-connection.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Caller } from '../../http/caller.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { notifyConnectionFailing } from '../../notifications/notify-connection-failing.ts'
import { Problem } from '../../problem.ts'
import {
  findViewableReport,
  insertIssuedToken,
  insertView,
  mayView,
  type ViewableReport,
} from './embedding.repository.ts'

export const embeddingRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, embedIssuer, now, recordAudit } = services

  serve(app, reportsApi.embed, async ({ body: address }, { user, request }) => {
    const viewer = viewerOf(user)
    const report = await findViewableReport(db, viewer, address)
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
    await inTransaction(db, async (tx) => {
      const { idUsuario } = user
      const { tokenId, expiration: expiraEm } = issued
      await insertIssuedToken(
        tx,
        { idUsuario, idRelatorio, tokenId, expiraEm, comIdentidade: !!identity },
        now(),
      )
      const details = { tokenId, identidade: identity ?? null }
      await recordAudit(tx, {
        action: 'embed.issued',
        idUsuario,
        subject: `relatorio:${idRelatorio}`,
        details,
        request,
      })
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

  const assertMayView = async ({ id }: { id: number }, user: Caller) => {
    if (!(await mayView(db, viewerOf(user), id))) {
      throw new Problem(user.tipo === 'ADMIN' ? 'nao_encontrado' : 'relatorio_sem_permissao')
    }
  }
  serve(
    app,
    reportsApi.recordView,
    async ({ params, body }, { user }) => {
      await insertView(db, { idUsuario: user.idUsuario, idRelatorio: params.id, ...body }, now())
    },
    { authorize: assertMayView },
  )

  serve(app, reportsApi.checkAccess, () => {}, { authorize: assertMayView })
}

/** With roles, the token carries who is looking; without, it is the same for everybody and may be shared. */
const identityOf = ({ papeisRls }: ViewableReport, user: Caller): EffectiveIdentity | undefined =>
  papeisRls.length === 0
    ? undefined
    : {
        username: user.emailUsuario,
        roles: papeisRls,
        ...(user.identidadeRls ? { customData: user.identidadeRls } : {}),
      }
