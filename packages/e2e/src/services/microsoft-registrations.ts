import { connectionsApi, reportRegistrationsApi, responsiblesApi, workspacesApi } from '@bi-manager/contract'
import type { SimulatedWorkspace } from '@bi-manager/server/test/stand-ins/microsoft-tenant'
import type { signedInClient } from '../people/api.ts'

type Api = Awaited<ReturnType<typeof signedInClient>>

/** Registers a connection to a simulated tenant, named 'Matriz'. @returns its id */
export const registerConnection = async ({ call }: Api): Promise<number> => {
  const [responsible] = await call(responsiblesApi.list, { query: {} })
  const { idPowerBI } = await call(connectionsApi.create, {
    body: {
      nome: 'Matriz',
      username: crypto.randomUUID(),
      password: 'segredo',
      tenantId: crypto.randomUUID(),
      clienteId: 1,
      idResponsavel: responsible?.idResponsavel ?? 1,
    },
  })
  return idPowerBI
}

/** Registers a simulated workspace with its reports. @returns the ids of the reports, in order */
export const registerWorkspace = async (
  { call }: Api,
  idPowerBi: number,
  { id, name, reports = [] }: SimulatedWorkspace,
): Promise<number[]> => {
  const { idGrupoRelatorio } = await call(workspacesApi.create, {
    body: { nomeGrupo: name ?? id, idGrupo: id, idPowerBi },
  })
  const ids: number[] = []
  for (const report of reports) {
    const { idRelatorio } = await call(reportRegistrationsApi.create, {
      body: {
        idGrupoRelatorio,
        nomeRelatorio: report.name ?? report.id,
        operadoraRelatorio: 'CNU',
        reportId: report.id,
      },
    })
    ids.push(idRelatorio)
  }
  return ids
}
