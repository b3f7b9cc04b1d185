import { datasetReferenceOf } from '@bi-manager/contract'
import type { Connection } from './connection.ts'
import type { ReadDataset } from './effective-identity.ts'
import type { DatasetAddress, PowerBiApi } from './power-bi-api.ts'

/**
 * Reads what each dataset of a report requires; the report's own, if it has one, comes first.
 * @param additional 'dataset', in the workspace of the report, or 'workspace/dataset'
 */
export const readDatasets = (
  api: PowerBiApi,
  connection: Connection,
  { own, groupId, additional }: { own: DatasetAddress | undefined; groupId: string; additional: string[] },
): Promise<ReadDataset[]> => {
  const others = additional
    .map(datasetReferenceOf)
    .filter(({ datasetId }) => datasetId !== own?.datasetId.toLowerCase())
    .map((other) => ({ datasetId: other.datasetId, groupId: other.groupId ?? groupId }))
  return Promise.all(
    [...(own ? [own] : []), ...others].map(async (address) => {
      const dataset = await api.getDataset(connection, address.groupId, address.datasetId)
      const { requiresIdentity, requiresRoles } = dataset
      return { id: address.datasetId, requiresIdentity, requiresRoles }
    }),
  )
}
