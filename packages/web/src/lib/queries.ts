import { activityApi, isBlocking, portalApi, secondFactorApi, sessionsApi } from '@bi-manager/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, callInBackground } from './api.ts'
import { currentSession, demandFirst } from './session.ts'

/** What several features read. A query that only one feature reads lives in that feature. */

/** Asking counts as use of the session: read anew by the portal itself only through `refreshCurrentUser`. */
export const currentUserQuery = queryOptions({
  queryKey: ['sessao'],
  queryFn: ({ signal }) => call(sessionsApi.current, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** One's own second factor. */
export const secondFactorQuery = queryOptions({
  queryKey: ['segundo-fator'],
  queryFn: ({ signal }) => call(secondFactorApi.status, {}, { signal }),
})

/**
 * Reads the person anew without counting as use. The session's ends stay as they were read: what a call in the
 * background is told of the idle end is counted from an earlier use (see nextEnding).
 */
export const refreshCurrentUser = async (client: QueryClient): Promise<void> => {
  const known = client.getQueryState(currentUserQuery.queryKey)
  if (!known?.data) return
  const token = currentSession()?.access_token
  const fresh = await callInBackground(sessionsApi.current)
  // The rules have changed under an open window: it is led to the set-up at once, not at its next call.
  if (token && isBlocking(fresh.pendencia)) demandFirst(token, fresh.pendencia)
  client.setQueryData(
    currentUserQuery.queryKey,
    (before) =>
      before && { ...fresh, sessaoExpiraEm: before.sessaoExpiraEm, sessaoOciosaEm: before.sessaoOciosaEm },
    { updatedAt: known.dataUpdatedAt },
  )
}

/** What somebody did lately; asked for anew each time a page shows it. */
export const activityQuery = queryOptions({
  queryKey: ['atividade'],
  queryFn: ({ signal }) => call(activityApi.own, {}, { signal }),
  staleTime: 0,
})

/** What the installation allows, as far as anybody may know; it changes only with a new start of the server. */
export const portalQuery = queryOptions({
  queryKey: ['portal'],
  queryFn: ({ signal }) => callInBackground(portalApi.settings, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
