import { grantsApi, type Report, reportRecordsApi, usersApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { type SelectOption, searchOptions } from '../../ui/search-select/select-options.ts'

export const usersKey = ['usuarios'] as const
export const reportsKey = ['relatorios'] as const

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [...usersKey, id],
    queryFn: ({ signal }) => call(usersApi.get, { params: { id } }, { signal }),
  })

export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: [...reportsKey, id],
    queryFn: ({ signal }) => call(reportRecordsApi.get, { params: { id } }, { signal }),
  })

/** Always refetched, because administrators act on the answer. */
export const explanationQuery = (idUsuario: number, idRelatorio: number) =>
  queryOptions({
    queryKey: ['acesso', idUsuario, idRelatorio],
    queryFn: ({ signal }) => call(grantsApi.explain, { params: { idUsuario, idRelatorio } }, { signal }),
    staleTime: 0,
  })

/**
 * Returns the query of a user's menu. The audit trail records each call, so it is fetched once per
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
  description: `${nomeGrupo} · ${operadoraRelatorio}`,
})

export const searchReports = searchOptions(reportRecordsApi.list, reportOption)
