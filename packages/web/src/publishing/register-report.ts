import {
  ALL_OPERADORAS,
  ApiProblem,
  type PublicationResult,
  publishingApi,
  type Report,
  reportRegistrationsApi,
  workspacesApi,
} from '@bi-manager/contract'
import { call, callList } from '../lib/api/api.ts'

interface ReportToRegister {
  published: Pick<PublicationResult, 'idPowerBI' | 'idGrupo' | 'reportId'>
  nomeGrupo: string
  nomeRelatorio: string
  /** The roles that readers get. */
  papeisRls?: string[]
}

/**
 * Registers a published report in the portal. An existing workspace or registration is kept, so
 * that a second attempt completes a failed one; a registration without roles gets `papeisRls`.
 */
export const registerReport = async ({
  published: { idPowerBI, idGrupo, reportId },
  nomeGrupo,
  nomeRelatorio,
  papeisRls = [],
}: ReportToRegister): Promise<Report> => {
  const findWorkspace = async () =>
    (await call(publishingApi.workspaces)).find((workspace) => isSame(workspace.idGrupo, idGrupo))
      ?.idGrupoRelatorio
  // Publications and connections spell the id of the connection `idPowerBI`, workspaces `idPowerBi`.
  const createWorkspace = async () =>
    (await call(workspacesApi.create, { body: { nomeGrupo, idGrupo, idPowerBi: idPowerBI } }))
      .idGrupoRelatorio
  const idGrupoRelatorio = await foundOrCreated(findWorkspace, createWorkspace)
  const draft = { idGrupoRelatorio, reportId, papeisRls, operadoraRelatorio: ALL_OPERADORAS }
  const query = { idGrupoRelatorio, busca: nomeRelatorio, pagina: 1, tamanho: 50 }
  const report = await foundOrCreated(
    async () =>
      (await callList(reportRegistrationsApi.list, { query })).rows.find((found) =>
        isSame(found.reportId, reportId),
      ),
    () => call(reportRegistrationsApi.create, { body: { ...draft, nomeRelatorio } }),
  )
  if (papeisRls.length === 0 || report.papeisRls.length > 0) return report
  const { idRelatorio: id, nomeRelatorio: name, operadoraRelatorio, versao } = report
  const body = { ...draft, nomeRelatorio: name, operadoraRelatorio: operadoraRelatorio || ALL_OPERADORAS }
  return call(reportRegistrationsApi.update, { params: { id }, body }, { ifMatch: versao })
}

/** Another administrator may create it between the two calls; `create` then gets a 409. */
const foundOrCreated = async <T>(
  find: () => Promise<T | null | undefined>,
  create: () => Promise<T>,
): Promise<T> =>
  (await find()) ??
  create().catch(async (error: unknown) => {
    const found = error instanceof ApiProblem && error.status === 409 ? await find() : undefined
    if (found === undefined || found === null) throw error
    return found
  })

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
