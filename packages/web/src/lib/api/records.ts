import type { Endpoint, Input, Output } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'

/** Calls an endpoint that reads one record by its id. */
export const readRecord = <E extends Endpoint>(
  endpoint: E,
  id: number,
  signal?: AbortSignal,
): Promise<Output<E>> => call(endpoint, { params: { id } } as object as Input<E>, signal && { signal })

/** Returns the query of one record; without an id it fetches nothing. */
export const recordQuery = <E extends Endpoint>(
  key: readonly string[],
  endpoint: E,
  id: number | undefined,
) =>
  queryOptions({
    queryKey: [...key, id],
    queryFn: ({ signal }) => readRecord(endpoint, id ?? 0, signal),
    enabled: id !== undefined,
  })
