import type { Insertable } from 'kysely'
import { beginSchedule } from '../../src/connections/capacities/capacity-store.ts'
import type { Tables } from '../../src/platform/db/types.ts'
import type { TestApp } from '../test-app.ts'

let made = 0

/** Returns the id of a resource that no other test uses. */
export const azureIdOf = (kind: 'F' | 'A' = 'F', name = `capacidade${++made}`): string =>
  `/subscriptions/548b7fb7-3b2a-4f46-bb02-66473f1fc22c/resourceGroups/bi/providers/${
    kind === 'F' ? 'Microsoft.Fabric' : 'Microsoft.PowerBIDedicated'
  }/capacities/${name}`

/** Inserts a capacity whose schedule begins now. */
export const createCapacity = async (
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  fields: Partial<Insertable<Tables['capacidade']>> & { idPowerBi: number },
) => {
  const capacity = await db
    .insertInto('capacidade')
    .values({ nome: 'Capacidade', recurso: azureIdOf(), ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
  await beginSchedule(db, capacity.idCapacidade, services.now())
  return capacity
}
