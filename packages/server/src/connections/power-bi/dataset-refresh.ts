import { ownValue } from '@bi-manager/contract'
import { z } from 'zod'

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
