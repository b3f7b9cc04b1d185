import { USAGE_DAYS, usageApi } from '@bi-manager/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

export type UsageDays = (typeof USAGE_DAYS)[number]

/** Returns the period with this number of days, or else 30 days. */
export const usageDaysOf = (text: string | null): UsageDays =>
  USAGE_DAYS.find((days) => String(days) === text) ?? 30

export const usageKey = ['uso'] as const

export const usageSummaryQuery = (dias: UsageDays) =>
  queryOptions({
    queryKey: [...usageKey, 'resumo', dias],
    queryFn: ({ signal }) => call(usageApi.summary, { query: { dias } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

export const ownUsageQuery = (dias: UsageDays) =>
  queryOptions({
    queryKey: [...usageKey, 'meu', dias],
    queryFn: ({ signal }) => call(usageApi.own, { query: { dias } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
