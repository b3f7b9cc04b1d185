import { reportRegistrationsApi, reportRolesApi, workspacesApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'
import { counted } from '../../lib/text/counted.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

/** Returns the query of a logo. `fingerprint` changes with each upload, so the cache never goes stale. */
export const logoQuery = (id: number, fingerprint: string) =>
  queryOptions({
    queryKey: ['logos', id, fingerprint],
    queryFn: ({ signal }) => call(reportRegistrationsApi.logo, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
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

export const searchWorkspaces = searchOptions(
  workspacesApi.options,
  ({ idGrupoRelatorio, nomeGrupo, quantidadeRelatorios: count }) => ({
    value: idGrupoRelatorio,
    label: nomeGrupo,
    description: counted(count, 'relatório', 'relatórios'),
  }),
)
