import { type NotificationsSummary, notificationsApi } from '@bi-manager/contract'
// biome-ignore lint/style/noRestrictedImports: each notification is marked on its own
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callInBackground } from '../../lib/api/api.ts'
import { callForQuery, refreshInBackground } from '../../lib/api/background-refresh.ts'

/** Key prefix of the count and of every list. */
export const NOTIFICATIONS_KEY = 'notificacoes'

/** Number of notifications in the bell's popup. */
const LATEST = 10

/** Fetched in the background, so that it does not count as use of the session. */
export const unreadQuery = queryOptions({
  queryKey: [NOTIFICATIONS_KEY, 'resumo'],
  queryFn: ({ signal }) => callInBackground(notificationsApi.unread, {}, { signal }),
  select: ({ naoLidas }) => naoLidas,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Reads the banners from the bell's answer, and sends no call. */
export const bannersQuery = queryOptions({
  ...unreadQuery,
  // A portal of the previous version, still running during an upgrade, sends none.
  select: ({ avisos }: Partial<NotificationsSummary>) => avisos ?? [],
  enabled: false,
})

const latestKey = [NOTIFICATIONS_KEY, 'ultimas'] as const
export const latestQuery = queryOptions({
  queryKey: latestKey,
  queryFn: ({ signal }) =>
    callForQuery(latestKey)(notificationsApi.list, { query: { pagina: 1, tamanho: LATEST } }, { signal }),
})

/** Refetches the notifications on the screen in the background. */
export const refreshNotifications = (client: QueryClient): Promise<void> =>
  refreshInBackground(client, [NOTIFICATIONS_KEY])

/** Mutation that marks the given notifications, or all, as read. */
export const useMarkRead = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: number[] | 'todas') =>
      call(notificationsApi.markRead, { body: ids === 'todas' ? {} : { ids } }),
    onSuccess: async (unread) => {
      client.setQueryData(unreadQuery.queryKey, (summary) => ({ avisos: [], ...summary, ...unread }))
      await client.invalidateQueries({
        queryKey: [NOTIFICATIONS_KEY],
        predicate: ({ queryKey }) => queryKey[1] !== 'resumo',
      })
    },
  })
}
