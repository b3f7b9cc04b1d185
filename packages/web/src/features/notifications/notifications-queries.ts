import { notificationsApi } from '@bi-manager/contract'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callInBackground } from '../../lib/api.ts'
import { callFor, refreshInBackground } from '../../lib/background-refresh.ts'

/** Of the count and of every list. */
export const NOTIFICATIONS_KEY = 'notificacoes'

/** As many as the bell's popup shows. */
const LATEST = 10

/** The portal asks by itself: it is no use of the session. */
export const unreadQuery = queryOptions({
  queryKey: [NOTIFICATIONS_KEY, 'resumo'],
  queryFn: ({ signal }) => callInBackground(notificationsApi.unread, {}, { signal }),
  select: ({ naoLidas }) => naoLidas,
  staleTime: Number.POSITIVE_INFINITY,
})

const latestKey = [NOTIFICATIONS_KEY, 'ultimas'] as const
export const latestQuery = queryOptions({
  queryKey: latestKey,
  queryFn: ({ signal }) =>
    callFor(latestKey)(notificationsApi.list, { query: { pagina: 1, tamanho: LATEST } }, { signal }),
})

/** Reads anew what is on the screen. A part that fails says so itself where it stands. */
export const refreshNotifications = (client: QueryClient): Promise<void> =>
  refreshInBackground(client, [NOTIFICATIONS_KEY])

/** Marks these as read, or all of them. */
export const useMarkRead = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: number[] | 'todas') =>
      call(notificationsApi.markRead, { body: ids === 'todas' ? {} : { ids } }),
    onSuccess: async (unread) => {
      client.setQueryData(unreadQuery.queryKey, unread)
      await client.invalidateQueries({
        queryKey: [NOTIFICATIONS_KEY],
        predicate: ({ queryKey }) => queryKey[1] !== 'resumo',
      })
    },
  })
}
