import { systemStatusApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { callForQuery } from '../../lib/api/background-refresh.ts'

export const systemStatusKey = ['situacao-do-sistema'] as const

export const systemStatusQuery = queryOptions({
  queryKey: systemStatusKey,
  queryFn: ({ signal }) => callForQuery(systemStatusKey)(systemStatusApi.get, {}, { signal }),
})
