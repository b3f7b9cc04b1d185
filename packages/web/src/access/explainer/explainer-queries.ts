import { grantsApi, type Report, reportRegistrationsApi, usersApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { entityQuery } from '../../lib/api/entities.ts'
import { reportsKey, usersKey } from '../../lib/api/query-keys.ts'
import { type SelectOption, searchOptions } from '../../ui/search-select/select-options.ts'

export const userQuery = (id: number | undefined) => entityQuery(usersKey, usersApi.get, id)

export const reportQuery = (id: number | undefined) => entityQuery(reportsKey, reportRegistrationsApi.get, id)

/**
 * Returns the query of a user's menu. The audit trail logs each call, so it is fetched once per
 * opening of the page and never refetched automatically.
 */
export const menuAsQuery = (idUsuario: number, opening: number) =>
  queryOptions({
    queryKey: ['ver-como', idUsuario, opening],
    queryFn: ({ signal }) => call(grantsApi.menuOf, { params: { idUsuario } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

/** Returns the query of one workspace's reports, for menus delivered without reports. */
export const menuReportsAsQuery = (idUsuario: number, opening: number, idGrupoRelatorio: number) =>
  queryOptions({
    queryKey: ['ver-como', idUsuario, opening, idGrupoRelatorio],
    queryFn: ({ signal }) =>
      call(grantsApi.menuReportsOf, { params: { idUsuario, idGrupoRelatorio } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const reportOption = ({
  idRelatorio,
  nomeRelatorio,
  nomeGrupo,
  operadoraRelatorio,
}: Report): SelectOption => ({
  value: idRelatorio,
  label: nomeRelatorio,
  description: [nomeGrupo, operadoraRelatorio].filter(Boolean).join(' · '),
})

export const searchReports = searchOptions(reportRegistrationsApi.list, reportOption)
