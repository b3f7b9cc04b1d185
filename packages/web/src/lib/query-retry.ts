import { ApiProblem } from '@bi-manager/contract'

const second = 1_000
const pauseMs = 800
/** Longer than a restart of the database takes, and no longer than a person looks at a skeleton. */
const patienceMs = 10 * second

/**
 * Whether a query is sent again after `failures` + 1 failures: a refusal is not, a fault of the
 * network or the server once, and an answer with Retry-After until 10 seconds have passed.
 */
export const retryQuery = (failures: number, error: unknown): boolean => {
  if (error instanceof ApiProblem && error.status < 500) return false
  const namedMs = namedDelay(error)
  return namedMs === undefined ? failures < 1 : (failures + 1) * namedMs < patienceMs
}

/** Milliseconds until it is sent again. */
export const retryDelay = (_failures: number, error: unknown): number => namedDelay(error) ?? pauseMs

const namedDelay = (error: unknown): number | undefined =>
  error instanceof ApiProblem && error.retryAfter !== undefined
    ? Math.max(pauseMs, error.retryAfter * second)
    : undefined
