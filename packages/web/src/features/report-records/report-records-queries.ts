import {
  connectionsApi,
  type Report,
  reportRecordsApi,
  reportRolesApi,
  type Workspace,
  workspacesApi,
} from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const reportsKey = ['relatorios'] as const
export const groupsKey = ['workspaces'] as const
const connectionsKey = ['powerbis'] as const

export const getReport = (id: number, signal?: AbortSignal): Promise<Report> =>
  call(reportRecordsApi.get, { params: { id } }, signal && { signal })

/** Returns the query of a logo. `mark` changes with each upload, so the cache never goes stale. */
export const logoQuery = (id: number, mark: string) =>
  queryOptions({
    queryKey: ['logos', id, mark],
    queryFn: ({ signal }) => call(reportRecordsApi.logo, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Returns the query of a registered workspace, with its connection and its id at the provider. */
export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: [...groupsKey, id],
    queryFn: ({ signal }) => call(workspacesApi.get, { params: { id } }, { signal }),
    staleTime: 30_000,
  })

/**
 * Returns the query of a workspace's reports at the provider. No retry: the server waits long
 * enough.
 */
export const groupReportsQuery = ({ idPowerBi, idGrupo }: Pick<Workspace, 'idPowerBi' | 'idGrupo'>) =>
  queryOptions({
    queryKey: [...connectionsKey, idPowerBi, 'grupos', idGrupo, 'relatorios'],
    queryFn: ({ signal }) =>
      call(connectionsApi.groupReports, { params: { id: idPowerBi, idGrupo } }, { signal }),
    retry: false,
    staleTime: 30_000,
  })

/**
 * Returns the query of a dataset's roles. No retry: the server waits long enough for the provider.
 */
export const datasetRolesQuery = (id: number) =>
  queryOptions({
    queryKey: [...reportsKey, id, 'papeis'],
    queryFn: ({ signal }) => call(reportRolesApi.datasetRoles, { params: { id } }, { signal }),
    retry: false,
    staleTime: 30_000,
  })

export const searchGroups = searchOptions(
  workspacesApi.groupOptions,
  ({ idGrupoRelatorio, nomeGrupo, quantidadeRelatorios: count }) => ({
    value: idGrupoRelatorio,
    label: nomeGrupo,
    description: count === 1 ? '1 relatório' : `${count.toLocaleString('pt-BR')} relatórios`,
  }),
)
