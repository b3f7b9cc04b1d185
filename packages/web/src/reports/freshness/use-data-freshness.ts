import { ApiProblem, type DataFreshness, dataFreshnessApi } from '@bi-manager/contract'
// biome-ignore lint/style/noRestrictedImports: the request may be for another report
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, callInBackground } from '../../lib/api/api.ts'

/** Milliseconds between two calls: the server caches the provider's answer for so long. */
const everyMs = 5 * 60_000

/** Polling interval (ms) while a refresh runs. */
export const runningMs = 5_000

/** Milliseconds after which a refresh that was asked for should have started. */
const startingMs = 120_000

/** First part of the keys of all queries about the data of a report. */
export const dataKey = (idRelatorio: number | undefined) => ['dados', idRelatorio] as const

/** Key of the latest refreshes of a report's data. */
export const refreshesKey = (idRelatorio: number) => [...dataKey(idRelatorio), 'atualizacoes'] as const

/** A refresh that was asked for here, or that was in the way of one. */
interface Asked {
  id: number
  /** The start of the newest refresh before it. */
  before: string | undefined
}

/** What a query read, and when (ms since the epoch). */
interface Read {
  data: DataFreshness | undefined
  dataUpdatedAt: number
}

export type RefreshPhase = 'nada' | 'pedida' | 'atualizando' | 'concluida' | 'falhou' | 'sem-inicio'

/**
 * Returns how recent the rows of a report are, and refreshes them.
 * @param isWanted asks only then: the question must not delay an opening report
 */
export const useDataFreshness = (idRelatorio: number | undefined, isWanted: boolean) => {
  const client = useQueryClient()
  const starting = useMutation({
    mutationFn: ({ id }: Asked) => call(dataFreshnessApi.start, { params: { id } }),
    // After a refusal too: another refresh may be running.
    onSettled: (_answer, _error, { id }) => {
      void client.invalidateQueries({ queryKey: dataKey(id), exact: true })
      void client.invalidateQueries({ queryKey: refreshesKey(id) })
    },
  })
  // The viewer shows one report after another: the request may be for an earlier one.
  const own = starting.variables?.id === idRelatorio ? starting : undefined
  const isFollowed = own?.isSuccess || isRunningAlready(own?.error)
  const asked = own && isFollowed ? { at: own.submittedAt, before: own.variables?.before } : undefined
  const read = useQuery({
    queryKey: dataKey(idRelatorio),
    queryFn: ({ signal }) =>
      callInBackground(dataFreshnessApi.get, { params: { id: idRelatorio ?? 0 } }, { signal }),
    enabled: isWanted && idRelatorio !== undefined,
    staleTime: everyMs,
    refetchInterval: ({ state }) =>
      state.status !== 'error' && isUnderWay(phaseOf(state, asked)) ? runningMs : everyMs,
  })
  const start = () => {
    if (idRelatorio !== undefined) starting.mutate({ id: idRelatorio, before: read.data?.ultima?.inicio })
  }
  const phase = phaseOf(read, asked)
  // The refresh that was in the way has ended.
  const isOver = phase === 'concluida' || phase === 'falhou'
  return {
    freshness: read.data,
    refreshing: {
      phase,
      fault: isOver ? undefined : own?.error,
      isSending: own?.isPending ?? false,
      start,
    },
  }
}

const isRunningAlready = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'atualizacao_em_andamento'

export type Refreshing = ReturnType<typeof useDataFreshness>['refreshing']

/** Whether a refresh was asked for or runs. */
export const isUnderWay = (phase: RefreshPhase): boolean => phase === 'pedida' || phase === 'atualizando'

const phaseOf = (
  { data, dataUpdatedAt }: Read,
  asked: { at: number; before: string | undefined } | undefined,
): RefreshPhase => {
  const ultima = data?.ultima
  if (ultima?.estado === 'EM_ANDAMENTO') return 'atualizando'
  if (!asked) return 'nada'
  if (ultima && ultima.inicio !== asked.before) return ultima.estado === 'CONCLUIDA' ? 'concluida' : 'falhou'
  return dataUpdatedAt - asked.at < startingMs ? 'pedida' : 'sem-inicio'
}
