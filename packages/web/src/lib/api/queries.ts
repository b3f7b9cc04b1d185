import {
  ApiProblem,
  activityApi,
  isBlocking,
  portalApi,
  secondFactorApi,
  sessionsApi,
} from '@bi-manager/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { currentSession, requirePendingStep } from '../session/session.ts'
import { call, callInBackground } from './api.ts'

/** Queries that several features share. A query of one feature belongs in that feature. */

/** Counts as use of the session: automatic refreshes must use `refreshCurrentUser`. */
export const currentUserQuery = queryOptions({
  queryKey: ['sessao'],
  queryFn: ({ signal }) => call(sessionsApi.current, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The person's own second factor. */
export const secondFactorQuery = queryOptions({
  queryKey: ['segundo-fator'],
  queryFn: ({ signal }) => call(secondFactorApi.status, {}, { signal }),
})

/** Returns whether the server refuses all calls of this person from where they are. */
export const isOutsideNetworks = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'rede_nao_permitida'

/**
 * Refetches the person without counting as use. The session's ends are kept: a background answer
 * counts the idle end from an earlier use (see nextEnding).
 */
export const refreshCurrentUser = async (client: QueryClient): Promise<void> => {
  const known = client.getQueryState(currentUserQuery.queryKey)
  if (!known?.data) return
  const token = currentSession()?.access_token
  const fresh = await callInBackground(sessionsApi.current).catch((error: unknown) => {
    // The frame reads the person again, and says so in place of every page.
    if (isOutsideNetworks(error)) void client.resetQueries({ queryKey: currentUserQuery.queryKey })
    throw error
  })
  // A new demand redirects open windows at once instead of at their next call.
  if (token && isBlocking(fresh.pendencia)) requirePendingStep(token, fresh.pendencia)
  client.setQueryData(
    currentUserQuery.queryKey,
    (before) =>
      before && { ...fresh, sessaoExpiraEm: before.sessaoExpiraEm, sessaoOciosaEm: before.sessaoOciosaEm },
    { updatedAt: known.dataUpdatedAt },
  )
}

/** The person's recent activity, refetched at each mount. */
export const activityQuery = queryOptions({
  queryKey: ['atividade'],
  queryFn: ({ signal }) => call(activityApi.own, {}, { signal }),
  staleTime: 0,
})

/** Options of reads that the access log lists: fetched once per opening, dropped on close. */
export const loggedRead = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** The installation's public settings; they change only when the server restarts. */
export const portalQuery = queryOptions({
  queryKey: ['portal'],
  queryFn: ({ signal }) => callInBackground(portalApi.settings, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
