import { connectionsApi } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { entityQuery } from '../../lib/api/entities.ts'
import { connectionsKey } from '../../lib/api/query-keys.ts'
import { useEntityFilter } from '../../ui/search-select/use-entity-filter.ts'

/** State of the list's filter by connection, kept in the URL. */
export const useConnectionFilter = () => {
  const { id, unnamed, optionOf, choose } = useEntityFilter('idPowerBi')
  const { data, error } = useQuery(entityQuery(connectionsKey, connectionsApi.get, unnamed))
  return { id, value: optionOf(data?.nome, error ? `Powerbi ${id}` : 'Carregando…'), choose }
}
