import { ApiProblem } from '@bi-manager/contract'

const second = 1_000
const pauseMs = 800
/** Longer than a restart of the database, short enough for a person looking at a skeleton. */
const patienceMs = 10 * second

/**
 * Returns whether a query is repeated after `failures` + 1 failures: never after a refusal, once
 * after a network or server failure, and with Retry-After until 10 seconds have passed.
 */
export const retryQuery = (failures: number, error: unknown): boolean => {
  if (error instanceof ApiProblem && error.status < 500) return false
  const namedMs = namedDelay(error)
  return namedMs === undefined ? failures < 1 : (failures + 1) * namedMs < patienceMs
}

/** Returns the delay in ms before the next attempt. */
export const retryDelay = (_failures: number, error: unknown): number => namedDelay(error) ?? pauseMs

const namedDelay = (error: unknown): number | undefined =>
  error instanceof ApiProblem && error.retryAfter !== undefined
    ? Math.max(pauseMs, error.retryAfter * second)
    : undefined
