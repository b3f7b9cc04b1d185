import { menusApi, portalApi, sessionsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'

/** What several features read. A query that only one feature reads lives in that feature. */

export const menusQuery = queryOptions({
  queryKey: ['menus'],
  queryFn: ({ signal }) => call(menusApi.list, {}, { signal }),
  staleTime: 60_000,
})

/** Asking counts as use of the session, so it is never asked again by itself. */
export const currentUserQuery = queryOptions({
  queryKey: ['sessao'],
  queryFn: ({ signal }) => call(sessionsApi.current, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const portalQuery = queryOptions({
  queryKey: ['portal'],
  queryFn: ({ signal }) => call(portalApi.settings, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
