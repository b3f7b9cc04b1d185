import { dataSchedulesApi, publishedReportsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

/** All published reports. No retry: the server waits long enough. */
export const publishedQuery = queryOptions({
  queryKey: ['publicacoes', 'relatorios'],
  queryFn: ({ signal }) => call(publishedReportsApi.list, {}, { signal }),
  retry: false,
})

export const versionsQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['publicacoes', 'versoes', reportId],
    queryFn: ({ signal }) => call(publishedReportsApi.versions, { params: { reportId } }, { signal }),
    retry: false,
  })

export const tablesQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['publicacoes', 'tabelas', reportId],
    queryFn: ({ signal }) => call(publishedReportsApi.tables, { params: { reportId } }, { signal }),
    retry: false,
  })

export const scheduleQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['publicacoes', 'agenda', reportId],
    queryFn: ({ signal }) => call(dataSchedulesApi.find, { params: { reportId } }, { signal }),
    retry: false,
  })
