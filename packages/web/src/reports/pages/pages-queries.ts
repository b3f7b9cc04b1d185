import { type PageRoute, pagesApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { callForQuery } from '../../lib/api/background-refresh.ts'

/** Key prefix of the queries of all BI Saúde pages. */
export const PAGES_KEY = 'paginas'

/** Every page, with the report that the user may see on it. */
export const pagesQuery = queryOptions({
  queryKey: [PAGES_KEY, 'todas'],
  queryFn: ({ signal, queryKey }) => callForQuery(queryKey)(pagesApi.list, {}, { signal }),
  staleTime: 60_000,
})

export const boundPageQuery = (rota: PageRoute) =>
  queryOptions({
    queryKey: [PAGES_KEY, rota],
    queryFn: ({ signal, queryKey }) => callForQuery(queryKey)(pagesApi.get, { params: { rota } }, { signal }),
    staleTime: 60_000,
  })
