import { workspaceEntity, workspacesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changesRows } from '../../accounts/index.ts'
import type { ConnectionServices } from '../../connections/index.ts'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { assertNoDependants } from '../../platform/db/queries/dependants.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import { deleteRow } from '../../platform/db/transactions/lock-row.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerEntitiesCsv } from '../../platform/http/lists/csv.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound } from '../../platform/lib/problem.ts'
import { rowsOfRegistration, selectRegistrations } from '../registrations/registered-rows.ts'
import {
  exportWorkspaces,
  findWorkspace,
  listWorkspaceOptions,
  listWorkspaces,
} from './workspaces.repository.ts'

export const workspacesRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db } = services
  serveList(app, workspacesApi.list, (query) => listWorkspaces(db, query))

  serve(app, workspacesApi.exportCsv, async ({ query }, context) =>
    answerEntitiesCsv(db, context, workspaceEntity, { query, list: await exportWorkspaces(db, query) }),
  )

  serve(app, workspacesApi.get, async ({ params }) => orNotFound(await findWorkspace(db, params.id)))

  serve(app, workspacesApi.create, ({ body }, { write }) =>
    write(async (tx, audit) => {
      const workspace = await insertEntity(tx, workspaceEntity, body, findWorkspace)
      await audit('workspace.created', subjectOf(workspace.idGrupoRelatorio), { depois: workspace })
      return workspace
    }),
  )

  serve(app, workspacesApi.update, ({ params: { id }, body }, { request, assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, workspaceEntity, id, findWorkspace, ifMatchOf(request))
      // One report stands for all: they move together.
      const rowsBefore = await rowsOfFirstReport(tx, id)
      const workspace = await updateEntity(tx, workspaceEntity, id, body, findWorkspace)
      if (changesRows(rowsBefore, await rowsOfFirstReport(tx, id))) assertReauthenticated()
      await audit('workspace.updated', subjectOf(id), changeOf(before, workspace))
      return workspace
    }),
  )

  serve(app, workspacesApi.remove, ({ params: { id } }, { write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, workspaceEntity, id, findWorkspace)
      await assertNoDependants(tx, workspaceEntity, id)
      await deleteRow(tx, workspaceEntity, id)
      await audit('workspace.deleted', subjectOf(id), { antes: before })
    }),
  )

  serveList(app, workspacesApi.options, (query) => listWorkspaceOptions(db, query))
}

const rowsOfFirstReport = async (tx: Db, id: number) => {
  const reports = selectRegistrations(tx).where('relatorio.idGrupoRelatorio', '=', id)
  const first = await reports.limit(1).executeTakeFirst()
  return first && rowsOfRegistration(first)
}

const subjectOf = (id: number) => `workspace:${id}`
