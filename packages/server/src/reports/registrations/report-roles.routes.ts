import { reportRolesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { type ConnectionServices, findRegisteredReport } from '../../connections/index.ts'
import { isSignedCommandCall } from '../../platform/commands/command-call.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { findAccessWithoutRoles } from './report-roles.repository.ts'

export const reportRolesRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, now, powerBi, secrets } = services

  serve(app, reportRolesApi.datasetRoles, async ({ params: { id } }) => {
    const { connection, groupId, reportId } = orNotFound(await findRegisteredReport(services, id))
    const { dataset: own } = await powerBi.getReport(connection, groupId, reportId)
    // A paginated report has no dataset.
    if (!own) return { temPapeis: false, exigePapeis: false, exigeIdentidade: false }
    const dataset = await powerBi.getDataset(connection, own.groupId, own.datasetId)
    return {
      temPapeis: dataset.hasRoles,
      exigePapeis: dataset.requiresRoles,
      exigeIdentidade: dataset.requiresIdentity,
    }
  })

  serve(app, reportRolesApi.lostAccess, async ({ body }) => {
    if (!isSignedCommandCall(secrets, body, now())) throw new Problem('sem_permissao')
    return findAccessWithoutRoles(db, body.relatorios)
  })
}
