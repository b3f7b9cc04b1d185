import type { Endpoint, Input } from '@bi-manager/contract'
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { callList, type ListAnswer, type RowOf } from '../../lib/api/api.ts'

const SIZE = 25

export interface Pages<R> {
  /** Undefined until the first answer. */
  rows: R[] | undefined
  hasMore: boolean
  showMore: () => void
  isFetching: boolean
  isFetchingMore: boolean
  error: unknown
  refetch: () => void
}

/** Reads a server list page by page. `isWanted: false` sends no request. */
export const usePages = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  busca: string,
  { isWanted = true, size = SIZE }: { isWanted?: boolean; size?: number } = {},
): Pages<RowOf<E>> => {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: [...queryKey, 'paginas', busca, size],
      queryFn: ({ signal, pageParam }) => {
        const query = { ...(busca && { busca: busca.slice(0, 200) }), pagina: pageParam, tamanho: size }
        return callList(endpoint, { query } as Input<E>, { signal })
      },
      initialPageParam: 1,
      getNextPageParam: (last: ListAnswer<RowOf<E>>, all) =>
        (last.isCapped ? last.rows.length === size : all.length * size < last.total)
          ? all.length + 1
          : undefined,
      enabled: isWanted,
      placeholderData: keepPreviousData,
    })
  return {
    rows: data?.pages.flatMap(({ rows }) => rows),
    hasMore: hasNextPage,
    showMore: () => void fetchNextPage(),
    isFetching,
    isFetchingMore: isFetchingNextPage,
    error,
    refetch: () => void refetch(),
  }
}
