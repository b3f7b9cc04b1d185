import {
  connectionsApi,
  type Report,
  reportRecordsApi,
  reportRolesApi,
  type Workspace,
  workspacesApi,
} from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const reportsKey = ['relatorios'] as const
export const groupsKey = ['workspaces'] as const
const connectionsKey = ['powerbis'] as const

export const getReport = (id: number, signal?: AbortSignal): Promise<Report> =>
  call(reportRecordsApi.get, { params: { id } }, signal && { signal })

/** An uploaded logo. Its mark changes with each upload, so that what is here never grows old. */
export const logoQuery = (id: number, mark: string) =>
  queryOptions({
    queryKey: ['logos', id, mark],
    queryFn: ({ signal }) => call(reportRecordsApi.logo, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A registered group, which knows its connection and its id there. */
export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: [...groupsKey, id],
    queryFn: ({ signal }) => call(workspacesApi.get, { params: { id } }, { signal }),
    staleTime: 30_000,
  })

/** The reports of a group that its connection sees now. Not tried twice: the server waits for the provider long enough. */
export const groupReportsQuery = ({ idPowerBi, idGrupo }: Pick<Workspace, 'idPowerBi' | 'idGrupo'>) =>
  queryOptions({
    queryKey: [...connectionsKey, idPowerBi, 'grupos', idGrupo, 'relatorios'],
    queryFn: ({ signal }) =>
      call(connectionsApi.groupReports, { params: { id: idPowerBi, idGrupo } }, { signal }),
    retry: false,
    staleTime: 30_000,
  })

/** What the dataset of a report says of roles. Not tried twice: the server waits for the provider long enough. */
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
