import type { Endpoint, Input, Output } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'

/** Calls an endpoint that reads one entity by its id. */
export const readEntity = <E extends Endpoint>(
  endpoint: E,
  id: number,
  signal?: AbortSignal,
): Promise<Output<E>> => call(endpoint, { params: { id } } as object as Input<E>, signal && { signal })

/** Returns the query of one entity; without an id it fetches nothing. */
export const entityQuery = <E extends Endpoint>(
  key: readonly string[],
  endpoint: E,
  id: number | undefined,
) =>
  queryOptions({
    queryKey: [...key, id],
    queryFn: ({ signal }) => readEntity(endpoint, id ?? 0, signal),
    enabled: id !== undefined,
  })
