import { capacitiesApi, grantsApi } from '@bi-manager/contract'
import type { SimulatedAzureCapacity } from '@bi-manager/server/test/stand-ins/azure-capacities'
import type { SimulatedRefreshes } from '@bi-manager/server/test/stand-ins/microsoft-refreshes'
import { signedInClient } from '../people/api.ts'
import { createPerson } from '../people/create-person.ts'
import { startWithTenant } from './microsoft.ts'
import { registerConnection, registerWorkspace } from './microsoft-registrations.ts'

export const capacityAdmin = {
  name: 'Administrador',
  email: 'chefe@empresa.exemplo',
  password: 'Girassol de inverno 58',
}
/** Starts a portal whose only report is on a capacity in a simulated Azure, and who may view it. */
export const startWithCapacity = async (azure: SimulatedAzureCapacity) => {
  const report = { id: crypto.randomUUID(), name: 'Custos', datasetId: crypto.randomUUID() }
  const workspace = { id: crypto.randomUUID(), name: 'Saúde', capacityId: 'c', reports: [report] }
  const refreshes: SimulatedRefreshes = { history: [] }
  const started = await startWithTenant(
    { workspaces: [workspace], azure: [azure], datasets: { [report.datasetId]: { refreshes } } },
    { ADMIN_EMAIL: capacityAdmin.email, ADMIN_PASSWORD: capacityAdmin.password },
  )
  const { portal } = started.demo
  const api = await signedInClient(portal, capacityAdmin)
  const { call } = api
  const idPowerBi = await registerConnection(api)
  const [idRelatorio = 0] = await registerWorkspace(api, idPowerBi, workspace)
  const reader = await createPerson(portal, 'Ana Prado', 'ana@empresa.exemplo', undefined, capacityAdmin)
  await call(grantsApi.create, { body: { idUsuario: reader.idUsuario, idRelatorio } })
  return {
    ...started,
    portal,
    call,
    reader,
    /** Refreshes of the report's dataset. */
    refreshes,
    reportPath: `/relatorio-embed/saude/custos/${workspace.id}/${report.id}`,
    /** Registers the capacity with a schedule. */
    register: () =>
      call(capacitiesApi.create, {
        body: {
          nome: 'Produção',
          idPowerBi,
          recurso: azure.id,
          diasAgenda: ['segunda', 'terca', 'quarta', 'quinta', 'sexta'],
          iniciaAs: '08:00',
          pausaAs: '19:00',
          feriados: ['2027-01-01', '2027-04-21', '2027-09-07', '2027-12-25'],
          ociosaMinutos: 60,
        },
      }),
  }
}
