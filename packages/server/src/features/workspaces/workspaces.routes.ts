import { csvColumnsOf, workspaceEntity, workspacesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../audit/record-change.ts'
import { lockRow } from '../../db/lock-row.ts'
import { answerCsv } from '../../http/csv.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import {
  countReportsOf,
  deleteWorkspace,
  exportWorkspaces,
  findWorkspace,
  insertWorkspace,
  listGroupOptions,
  listWorkspaces,
  updateWorkspace,
} from './workspaces.repository.ts'

export const workspacesRoutes = async (app: FastifyInstance, { db, recordAudit }: Services) => {
  serve(app, workspacesApi.list, async ({ query }, context) =>
    sendListHeaders(await listWorkspaces(db, query), query, context),
  )

  serve(app, workspacesApi.exportCsv, async ({ query }, context) =>
    answerCsv({ db, recordAudit }, context, {
      name: workspaceEntity.list,
      query,
      list: await exportWorkspaces(db, query),
      columns: csvColumnsOf(workspaceEntity),
    }),
  )

  serve(app, workspacesApi.get, async ({ params }) => {
    const workspace = await findWorkspace(db, params.id)
    if (!workspace) throw new Problem('nao_encontrado')
    return workspace
  })

  serve(app, workspacesApi.create, ({ body }, { user, request, write }) =>
    write(async (tx) => {
      const workspace = await insertWorkspace(tx, body)
      await recordAudit(tx, {
        action: 'workspace.created',
        idUsuario: user.idUsuario,
        subject: subjectOf(workspace.idGrupoRelatorio),
        details: { depois: workspace },
        request,
      })
      return workspace
    }),
  )

  serve(app, workspacesApi.update, ({ params: { id }, body }, { user, request, write }) =>
    write(async (tx) => {
      const ifMatch = ifMatchOf(request)
      await lockRow(tx, workspaceEntity, id)
      const before = await findWorkspace(tx, id)
      const workspace = before && (await updateWorkspace(tx, id, body, ifMatch))
      if (!workspace)
        throw await explainMissedUpdate(tx, { exists: !!before, subject: subjectOf(id), ifMatch })
      await recordAudit(tx, {
        action: 'workspace.updated',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: changeOf(before, workspace),
        request,
      })
      return workspace
    }),
  )

  serve(app, workspacesApi.remove, ({ params: { id } }, { user, request, write }) =>
    write(async (tx) => {
      await lockRow(tx, workspaceEntity, id)
      const before = await findWorkspace(tx, id)
      const reports = await countReportsOf(tx, id)
      if (reports > 0) throw new Problem('registro_em_uso', { detail: dependants(reports) })
      if (!before || !(await deleteWorkspace(tx, id))) throw new Problem('nao_encontrado')
      await recordAudit(tx, {
        action: 'workspace.deleted',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { antes: before },
        request,
      })
    }),
  )

  serve(app, workspacesApi.groupOptions, async ({ query }, context) =>
    sendListHeaders(await listGroupOptions(db, query), query, context),
  )
}

const subjectOf = (id: number) => `workspace:${id}`

const dependants = (reports: number): string =>
  reports === 1
    ? 'Este Workspace tem 1 relatório. Exclua-o primeiro.'
    : `Este Workspace tem ${reports} relatórios. Exclua-os primeiro.`
