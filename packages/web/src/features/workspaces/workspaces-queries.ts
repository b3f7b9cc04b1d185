import { connectionsApi, type Workspace, workspacesApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const workspacesKey = ['workspaces'] as const
export const connectionsKey = ['powerbis'] as const

export const getWorkspace = (id: number, signal?: AbortSignal): Promise<Workspace> =>
  call(workspacesApi.get, { params: { id } }, signal && { signal })

/**
 * Returns the query of a connection's groups at the provider. No retry: the server waits long
 * enough.
 */
export const groupsQuery = (idPowerBI: number) =>
  queryOptions({
    queryKey: [...connectionsKey, idPowerBI, 'grupos'],
    queryFn: ({ signal }) => call(connectionsApi.groups, { params: { id: idPowerBI } }, { signal }),
    retry: false,
  })

/** Returns the query of a group's reports at the provider, with registered ones marked. */
export const groupReportsQuery = ({ idPowerBi, idGrupo }: Pick<Workspace, 'idPowerBi' | 'idGrupo'>) =>
  queryOptions({
    queryKey: [...connectionsKey, idPowerBi, 'grupos', idGrupo, 'relatorios'],
    queryFn: ({ signal }) =>
      call(connectionsApi.groupReports, { params: { id: idPowerBi, idGrupo } }, { signal }),
    retry: false,
    staleTime: 0,
  })

export const searchConnections = searchOptions(connectionsApi.list, ({ idPowerBI, nome, username }) => ({
  value: idPowerBI,
  label: nome,
  description: username,
}))

export const searchRegisteredGroups = searchOptions(workspacesApi.groupOptions, ({ idGrupo, nomeGrupo }) => ({
  value: idGrupo,
  label: nomeGrupo,
  mark: 'já cadastrado',
}))
