import type { Endpoint, Input, ListQuery } from '@bi-manager/contract'
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callList, type RowOf } from '../api/api.ts'
import { callForQuery } from '../api/background-refresh.ts'
import { usePurpose } from '../session/purpose.ts'
import { type ListState, type Order, useListState } from './list-state.ts'

export interface List<R, F extends string = string> {
  state: ListState<F>
  /** Undefined until the first answer; the previous rows stay while the next load. */
  rows: R[] | undefined
  total: number
  isCapped: boolean
  isFetching: boolean
  error: unknown
  refetch: () => void
}

interface ListOptions<E extends Endpoint> {
  /** Query key, such as ['workspaces']: invalidate it after each change. */
  queryKey: QueryKey
  endpoint: E
  /** Path parameters, which belong in `queryKey` too. */
  params?: Record<string, number>
  /** Further filters for the endpoint's query. */
  filter?: Record<string, string | number | undefined>
  /** False sends no request. */
  enabled?: boolean
  /**
   * Each read of the list is a row of the access log. The list is therefore read only when the user
   * asks for it, is dropped when unmounted, and is read again when the purpose changes.
   */
  isLogged?: boolean
}

const loggedList = {
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  // Fails visibly while offline: waiting would show the previous rows under the next page's number.
  networkMode: 'always',
} as const

interface AddressOptions<F extends string> {
  /** Sortable fields, from the contract. */
  fields: readonly F[]
  /** The server's default order; the first of `fields`, ascending, if left out. */
  defaultOrder?: Order<F>
}

/** A server list whose state is in the address; pass it to DataTable. */
export const useList = <E extends Endpoint, const F extends string>({
  fields,
  defaultOrder = fields[0],
  ...options
}: ListOptions<E> & AddressOptions<F>): List<RowOf<E>, F> =>
  useListOf(useListState(fields, defaultOrder), options)

/** The same with its state elsewhere, such as in a panel (usePanelListState). */
export const useListOf = <E extends Endpoint, F extends string>(
  state: ListState<F>,
  { queryKey, endpoint, params, filter, enabled = true, isLogged = false }: ListOptions<E>,
): List<RowOf<E>, F> => {
  const query: ListQuery = { ...filter, ...state.query }
  const purpose = usePurpose()
  const key = [...queryKey, 'lista', query, ...(isLogged ? [purpose] : [])]
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      callList(endpoint, { params, query } as object as Input<E>, { signal }, callForQuery(key)),
    placeholderData: keepPreviousData,
    enabled,
    ...(isLogged && loggedList),
  })

  const beyondEnd = data && !isPlaceholderData && data.rows.length === 0 && data.total > 0 && state.pagina > 1
  const lastPage = Math.max(1, Math.ceil((data?.total ?? 0) / state.tamanho))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `state` is a new object at each render
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
