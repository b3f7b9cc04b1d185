import {
  grantsApi,
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
  /** Who may open it. */
  people: number[]
}

/**
 * Registers a published report in the portal and grants it. What exists already is kept, so that a
 * repetition after a failure completes the rest.
 */
export const registerReport = async ({
  published: { idPowerBI, idGrupo, reportId },
  nomeGrupo,
  nomeRelatorio,
  people,
}: Registration): Promise<Report> => {
  const workspaces = await call(publishingApi.workspaces)
  const known = workspaces.find((one) => isSame(one.idGrupo, idGrupo))?.idGrupoRelatorio
  const idGrupoRelatorio =
    known ??
    (await call(workspacesApi.create, { body: { nomeGrupo, idGrupo, idPowerBi: idPowerBI } }))
      .idGrupoRelatorio
  const query = { idGrupoRelatorio, busca: nomeRelatorio, pagina: 1, tamanho: 50 }
  const { rows } = await callList(reportRecordsApi.list, { query })
  const report =
    rows.find((one) => isSame(one.reportId, reportId)) ??
    (await call(reportRecordsApi.create, {
      body: { idGrupoRelatorio, nomeRelatorio, reportId },
    }))
  for (const idUsuario of people)
    await call(grantsApi.create, { body: { idRelatorio: report.idRelatorio, idUsuario } })
  return report
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
