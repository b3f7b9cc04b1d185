import { alertEntity, alertsApi, type PanelChoice } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'

/** First part of the keys of all queries of alerts, which are invalidated together. */
export const alertsKey = [alertEntity.list] as const

/** What an alert on the report may be. */
export const alertOptionsQuery = (idRelatorio: number) =>
  queryOptions({
    queryKey: [...alertsKey, 'opcoes', idRelatorio],
    queryFn: ({ signal }) => call(alertsApi.options, { params: { id: idRelatorio } }, { signal }),
  })

/** The values of a page; null: of the first one. */
export const alertVisualsQuery = (idRelatorio: number, pagina: string | null, filtros: PanelChoice) =>
  queryOptions({
    queryKey: [...alertsKey, 'visuais', idRelatorio, pagina, filtros],
    queryFn: ({ signal }) =>
      call(alertsApi.visuals, { params: { id: idRelatorio }, body: { pagina, filtros } }, { signal }),
    // Rows of the report: they stay no longer than the form.
    gcTime: 0,
    retry: false,
  })

/** One's own alerts on the report. */
export const reportAlertsQuery = (idRelatorio: number) =>
  queryOptions({
    queryKey: [...alertsKey, 'relatorio', idRelatorio],
    queryFn: ({ signal }) => call(alertsApi.ofReport, { params: { id: idRelatorio } }, { signal }),
    staleTime: 0,
  })

export const ownAlertsQuery = queryOptions({
  queryKey: [...alertsKey, 'meus'],
  queryFn: ({ signal }) => call(alertsApi.own, {}, { signal }),
})

export const alertQuery = (id: number) =>
  queryOptions({
    queryKey: [...alertsKey, 'um', id],
    queryFn: ({ signal }) => call(alertsApi.get, { params: { id } }, { signal }),
  })
