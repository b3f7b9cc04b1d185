import { type PageRoute, pagesApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { callForQuery } from '../../lib/api/background-refresh.ts'

/** Key prefix of the queries of all BI Saúde pages. */
export const PAGES_KEY = 'paginas'

export const boundPageQuery = (rota: PageRoute) =>
  queryOptions({
    queryKey: [PAGES_KEY, rota],
    queryFn: ({ signal, queryKey }) => callForQuery(queryKey)(pagesApi.get, { params: { rota } }, { signal }),
    staleTime: 60_000,
  })
