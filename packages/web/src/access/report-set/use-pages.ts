import type { Endpoint, Input } from '@bi-manager/contract'
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { callList, type ListAnswer, type RowOf } from '../../lib/api/api.ts'

const SIZE = 25

interface PagesOptions {
  /** False sends no request. */
  isWanted?: boolean
  size?: number
  /** Path parameters, which belong in the query key too. */
  params?: Record<string, number>
}

/** Reads a server list page by page. */
export const usePages = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  busca: string,
  { isWanted = true, size = SIZE, params }: PagesOptions = {},
) => {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: [...queryKey, 'paginas', busca, size],
      queryFn: ({ signal, pageParam }) => {
        const query = { ...(busca && { busca: busca.slice(0, 200) }), pagina: pageParam, tamanho: size }
        return callList(endpoint, { query, ...(params && { params }) } as object as Input<E>, { signal })
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
    /** Undefined until the first answer. */
    rows: data?.pages.flatMap(({ rows }) => rows),
    hasMore: hasNextPage,
    showMore: () => void fetchNextPage(),
    isFetching,
    isFetchingMore: isFetchingNextPage,
    error,
    refetch: () => void refetch(),
  }
}
