import { reportRolesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { registeredConnection } from '../../bi/registered-connection.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { isSignedCommandCall } from '../../keys/command-call.ts'
import { Problem } from '../../lib/problem.ts'
import { findAccessWithoutRoles, findProviderReport } from './report-roles.repository.ts'

export const reportRolesRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, now, powerBi, secrets } = services

  serve(app, reportRolesApi.datasetRoles, async ({ params: { id } }) => {
    const row = await findProviderReport(db, id)
    if (!row) throw new Problem('nao_encontrado')
    const connection = registeredConnection(row, services)
    const report = await powerBi.getReport(connection, row.idGrupo, row.reportId)
    // A paginated report has no dataset.
    if (!report.datasetId) return { temPapeis: false, exigePapeis: false }
    const group = report.datasetWorkspaceId ?? row.idGrupo
    const { hasRoles, requiresIdentity } = await powerBi.getDataset(connection, group, report.datasetId)
    return { temPapeis: hasRoles, exigePapeis: requiresIdentity }
  })

  serve(app, reportRolesApi.lostAccess, async ({ body }) => {
    if (!isSignedCommandCall(secrets, body, now())) throw new Problem('sem_permissao')
    return findAccessWithoutRoles(db, body.relatorios)
  })
}
