import { ownValue } from '@bi-manager/contract'
import { z } from 'zod'
import { Problem } from '../../platform/lib/problem.ts'
import { type ProviderRefusal, problemOfRefusal } from './provider-call.ts'

/** Maps the refusal to start a refresh to the problem that the person sees. */
export const problemOfRefreshRefusal = (refusal: ProviderRefusal): Problem => {
  const { status, message, retryAfter } = refusal
  if (alreadyRunning.test(message) || status === 409)
    return new Problem('atualizacao_em_andamento', { cause: refusal })
  if (spentRefreshes.test(message))
    return new Problem('atualizacoes_esgotadas', {
      cause: refusal,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
  return problemOfRefusal(refusal)
}

const alreadyRunning = /another refresh|already (executing|running|in progress)/i

/** 'Number of refresh requests in last 24 hours exceeded limit', sent with 400 or 429. */
const spentRefreshes = /refresh requests in (the )?last 24 hours|daily refresh/i

/* The refreshes of a dataset, as Microsoft describes them and the local service answers them. */

/** Microsoft keeps this many entries at most. */
export const refreshesAtMost = 60

const text = z
  .string()
  .nullish()
  .transform((value) => value || undefined)

/** An instant; Microsoft's are in UTC, with or without its mark. */
const instant = z.string().transform((value, context) => {
  const date = new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`)
  if (!Number.isNaN(date.getTime())) return date
  context.addIssue({ code: 'custom', message: 'not an instant' })
  return z.NEVER
})

/** An entry of the history. `Unknown` without an end is a refresh in progress. */
export const RefreshRow = z
  .object({
    requestId: text,
    refreshType: text,
    startTime: instant,
    endTime: instant.nullish(),
    status: text,
    serviceExceptionJson: text,
  })
  .transform(({ requestId, refreshType, startTime, endTime, status, serviceExceptionJson }) => ({
    requestId,
    type: refreshType,
    startedAt: startTime,
    endedAt: endTime ?? undefined,
    state: stateOf(status, endTime),
    exception: serviceExceptionJson,
  }))

export type DatasetRefresh = z.output<typeof RefreshRow>

type State = 'running' | 'completed' | 'failed' | 'cancelled' | 'disabled' | 'unknown'

const stateOf = (status: string | undefined, endTime: Date | null | undefined): State =>
  ownValue(states, status ?? '') ?? (endTime ? 'unknown' : 'running')

/** `TimedOut`, `NotStarted` and `InProgress` are of enhanced refreshes. */
const states: Record<string, State> = {
  Completed: 'completed',
  Failed: 'failed',
  TimedOut: 'failed',
  Cancelled: 'cancelled',
  Disabled: 'disabled',
}

/** Returns when the rows of the dataset were last replaced; undefined when the history has none. */
export const dataTimeOf = (refreshes: DatasetRefresh[]): Date | undefined =>
  refreshes
    .flatMap(({ state, endedAt }) => (state === 'completed' && endedAt ? [endedAt] : []))
    .toSorted((one, other) => other.getTime() - one.getTime())[0]
