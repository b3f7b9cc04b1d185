import type { Endpoint, Input, ListQuery } from '@bi-manager/contract'
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callList, type RowOf } from './api.ts'
import { callFor } from './background-refresh.ts'
import { type ListState, useListState } from './list-state.ts'

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

interface ListOptions<E extends Endpoint, F extends string> {
  /** Of the cache, such as ['workspaces']: invalidate it after each change. */
  queryKey: QueryKey
  endpoint: E
  /** Of the endpoint's address, where it has some; they belong in `queryKey` too. */
  params?: Record<string, number>
  /** What it can be ordered by, from the contract. */
  fields: readonly F[]
  /** What the server orders by, ascending, when it is not told: the first of `fields`, unless said otherwise. */
  order?: F
  /** Further filters of the endpoint's query. */
  filter?: Record<string, string | number | undefined>
  /** False while the filter makes no sense: nothing is asked for. */
  enabled?: boolean
}

/** A list of the server with its state in the address; hand it to DataTable. */
export const useList = <E extends Endpoint, const F extends string>({
  queryKey,
  endpoint,
  params,
  fields,
  order = fields[0],
  filter,
  enabled = true,
}: ListOptions<E, F>): List<RowOf<E>, F> => {
  const state = useListState(fields, order)
  const query: ListQuery = { ...filter, ...state.query }
  const key = [...queryKey, 'lista', query]
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      callList(endpoint, { params, query } as object as Input<E>, { signal }, callFor(key)),
    placeholderData: keepPreviousData,
    enabled,
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
