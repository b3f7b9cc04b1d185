import { connectionsApi } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { connectionsKey } from '../../lib/api/query-keys.ts'
import { recordQuery } from '../../lib/api/records.ts'
import { useRecordFilter } from '../../ui/search-select/use-record-filter.ts'

/** State of the list's filter by connection, kept in the URL. */
export const useConnectionFilter = () => {
  const { id, unnamed, optionOf, choose } = useRecordFilter('idPowerBi')
  const { data, error } = useQuery(recordQuery(connectionsKey, connectionsApi.get, unnamed))
  return { id, value: optionOf(data?.nome, error ? `Powerbi ${id}` : 'Carregando…'), choose }
}
