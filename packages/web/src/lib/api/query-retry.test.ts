import { ApiProblem } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { retryDelay, retryQuery } from './query-retry.ts'

const problem = (status: number, retryAfter?: number) =>
  new ApiProblem(status, { codigo: 'servico_indisponivel', detail: 'Indisponível.' }, retryAfter)

/** Returns the delays (ms) between the attempts of a query that always fails. */
const attempts = (error: unknown): number[] => {
  const delays: number[] = []
  for (let failures = 0; retryQuery(failures, error); failures += 1) delays.push(retryDelay(failures, error))
  return delays
}

describe('retryQuery', () => {
  test('retryQuery does not repeat a refusal', () => {
    expect(attempts(problem(403))).toEqual([])
    expect(attempts(problem(429, 30))).toEqual([])
  })

  test('retryQuery repeats a network or server failure once', () => {
    expect(attempts(new TypeError('Failed to fetch'))).toEqual([800])
    expect(attempts(problem(500))).toEqual([800])
  })

  test('retryQuery repeats for about 10 seconds when the server sends Retry-After, as during a database restart', () => {
    expect(attempts(problem(503, 2))).toEqual([2_000, 2_000, 2_000, 2_000])
  })

  test('retryQuery does not wait for a long Retry-After', () => {
    expect(attempts(problem(503, 60))).toEqual([])
  })
})
