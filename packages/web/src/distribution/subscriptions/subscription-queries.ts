import { receivedSubscriptionsApi, subscriptionEntity, subscriptionsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

/** First part of the keys of all queries of subscriptions, which are invalidated together. */
export const subscriptionsKey = [subscriptionEntity.list] as const

const askAgainMs = 10_000

/** What a subscription of the report may be; asked again while the report service does not answer. */
export const subscriptionOptionsQuery = (idRelatorio: number) =>
  queryOptions({
    queryKey: [...subscriptionsKey, 'opcoes', idRelatorio],
    queryFn: ({ signal }) => call(subscriptionsApi.options, { params: { id: idRelatorio } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.servicoResponde === false ? askAgainMs : false),
  })

/** One's own subscriptions of the report. */
export const reportSubscriptionsQuery = (idRelatorio: number) =>
  queryOptions({
    queryKey: [...subscriptionsKey, 'relatorio', idRelatorio],
    queryFn: ({ signal }) => call(subscriptionsApi.ofReport, { params: { id: idRelatorio } }, { signal }),
    staleTime: 0,
  })

export const ownSubscriptionsQuery = queryOptions({
  queryKey: [...subscriptionsKey, 'minhas'],
  queryFn: ({ signal }) => call(subscriptionsApi.own, {}, { signal }),
})

export const receivedSubscriptionsQuery = queryOptions({
  queryKey: [...subscriptionsKey, 'recebidas'],
  queryFn: ({ signal }) => call(receivedSubscriptionsApi.list, {}, { signal }),
})

export const subscriptionQuery = (id: number) =>
  queryOptions({
    queryKey: [...subscriptionsKey, 'uma', id],
    queryFn: ({ signal }) => call(subscriptionsApi.get, { params: { id } }, { signal }),
  })
