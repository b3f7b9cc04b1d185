import { connectionsApi, workspacesApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { connectionsKey } from '../../lib/api/query-keys.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

/**
 * Returns the query of a connection's groups at the provider. No retry: the server waits long
 * enough.
 */
export const groupsQuery = (idPowerBi: number) =>
  queryOptions({
    queryKey: [...connectionsKey, idPowerBi, 'grupos'],
    queryFn: ({ signal }) => call(connectionsApi.groups, { params: { id: idPowerBi } }, { signal }),
    retry: false,
  })

export const searchConnections = searchOptions(connectionsApi.list, ({ idPowerBI, nome, username }) => ({
  value: idPowerBI,
  label: nome,
  description: username,
}))

export const searchRegisteredGroups = searchOptions(workspacesApi.options, ({ idGrupo, nomeGrupo }) => ({
  value: idGrupo,
  label: nomeGrupo,
  mark: 'já cadastrado',
}))
