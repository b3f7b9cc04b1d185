import type { Endpoint, Input, ListQuery } from '@bi-manager/contract'
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callList, type RowOf } from './api.ts'
import { callFor } from './background-refresh.ts'
import { type ListState, useListState } from './list-state.ts'
import { usePurpose } from './purpose.ts'

export interface List<R, F extends string = string> {
  state: ListState<F>
  /** Undefined until the first answer; the rows before stay while the next ones come. */
  rows: R[] | undefined
  total: number
  isCapped: boolean
  isFetching: boolean
  error: unknown
  refetch: () => void
}

interface ListOptions<E extends Endpoint> {
  /** Of the cache, such as ['workspaces']: invalidate it after each change. */
  queryKey: QueryKey
  endpoint: E
  /** Of the endpoint's address, where it has some; they belong in `queryKey` too. */
  params?: Record<string, number>
  /** Further filters of the endpoint's query. */
  filter?: Record<string, string | number | undefined>
  /** False while the filter makes no sense: nothing is asked for. */
  enabled?: boolean
  /**
   * Each reading of it is put on record: it is read when somebody asks for it, never by itself, and forgotten when nobody looks
   * at it any more. Under another purpose it is read anew.
   */
  isOnRecord?: boolean
}

const onRecord = {
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  // Without a network it fails and says so: waiting for one, it would show the rows of before under the next page's number.
  networkMode: 'always',
} as const

interface AddressOptions<F extends string> {
  /** What it can be ordered by, from the contract. */
  fields: readonly F[]
  /** What the server orders by, ascending, when it is not told: the first of `fields`, unless said otherwise. */
  order?: F
}

/** A list of the server with its state in the address; hand it to DataTable. */
export const useList = <E extends Endpoint, const F extends string>({
  fields,
  order = fields[0],
  ...options
}: ListOptions<E> & AddressOptions<F>): List<RowOf<E>, F> => useListOf(useListState(fields, order), options)

/** The same with its state somewhere else, such as in a panel beside the page (usePanelListState). */
export const useListOf = <E extends Endpoint, F extends string>(
  state: ListState<F>,
  { queryKey, endpoint, params, filter, enabled = true, isOnRecord = false }: ListOptions<E>,
): List<RowOf<E>, F> => {
  const query: ListQuery = { ...filter, ...state.query }
  const purpose = usePurpose()
  const key = [...queryKey, 'lista', query, ...(isOnRecord ? [purpose] : [])]
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      callList(endpoint, { params, query } as object as Input<E>, { signal }, callFor(key)),
    placeholderData: keepPreviousData,
    enabled,
    ...(isOnRecord && onRecord),
  })

  const beyondEnd = data && !isPlaceholderData && data.rows.length === 0 && data.total > 0 && state.pagina > 1
  const lastPage = Math.max(1, Math.ceil((data?.total ?? 0) / state.tamanho))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `state` is made anew at each render; what decides is listed
  useEffect(() => {
    if (beyondEnd) state.goTo(lastPage, { replace: true })
  }, [beyondEnd, lastPage])

  return {
    state,
    rows: data?.rows,
    total: data?.total ?? 0,
    isCapped: data?.isCapped ?? false,
    isFetching,
    error,
    refetch: () => void refetch(),
  }
}
