import {
  ApiProblem,
  type PublicationResult,
  publishingApi,
  type Report,
  reportRecordsApi,
  workspacesApi,
} from '@bi-manager/contract'
import { call, callList } from '../../lib/api/api.ts'

interface Registration {
  published: Pick<PublicationResult, 'idPowerBI' | 'idGrupo' | 'reportId'>
  nomeGrupo: string
  nomeRelatorio: string
}

/**
 * Registers a published report in the portal. What exists already is kept, so that a repetition
 * after a failure completes the rest.
 */
export const registerReport = async ({
  published: { idPowerBI, idGrupo, reportId },
  nomeGrupo,
  nomeRelatorio,
}: Registration): Promise<Report> => {
  const findWorkspace = async () =>
    (await call(publishingApi.workspaces)).find((one) => isSame(one.idGrupo, idGrupo))?.idGrupoRelatorio
  const createWorkspace = async () =>
    (await call(workspacesApi.create, { body: { nomeGrupo, idGrupo, idPowerBi: idPowerBI } }))
      .idGrupoRelatorio
  const idGrupoRelatorio = await foundOrCreated(findWorkspace, createWorkspace)
  const query = { idGrupoRelatorio, busca: nomeRelatorio, pagina: 1, tamanho: 50 }
  return foundOrCreated(
    async () =>
      (await callList(reportRecordsApi.list, { query })).rows.find((one) => isSame(one.reportId, reportId)),
    () => call(reportRecordsApi.create, { body: { idGrupoRelatorio, nomeRelatorio, reportId } }),
  )
}

/** Another administrator may create it between the look and the creation, which then gets a 409. */
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
