import type { Insertable } from 'kysely'
import type { Tables } from '../../src/platform/db/types.ts'
import { azureIdOf, createCapacity } from '../connections/capacities.ts'
import { createConnection } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import type { SimulatedAzureCapacity } from './azure-capacities.ts'
import { simulateTenant } from './microsoft-tenant.ts'
import { datasetId, groupId, type Provider } from './provider-stand-in.ts'

interface Suite {
  app: TestApp
  provider: Provider
}

/** Registers a capacity, and simulates it in Azure with one workspace that its connection sees. */
export const registerSimulatedCapacity = async (
  { app, provider }: Suite,
  azure: Partial<SimulatedAzureCapacity> & Pick<SimulatedAzureCapacity, 'state'>,
  fields: Partial<Insertable<Tables['capacidade']>> = {},
) => {
  // A random version: tokens are cached by id and version, and ids restart with every test.
  const connection = await createConnection(app, { versao: Math.floor(Math.random() * 1e9) })
  const resource: SimulatedAzureCapacity = { id: azureIdOf(), sku: 'F2', ...azure }
  const reports = [{ id: crypto.randomUUID(), name: 'Custos', datasetId }]
  simulateTenant(provider, {
    workspaces: [{ id: groupId, name: 'Saúde', capacityId: 'c', reports }],
    azure: [resource],
  })
  const { idPowerBi } = connection
  const { idCapacidade } = await createCapacity(app, { idPowerBi, recurso: resource.id, ...fields })
  return { connection, resource, idCapacidade }
}
