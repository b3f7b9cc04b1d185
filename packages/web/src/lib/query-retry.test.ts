import { ApiProblem } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { retryDelay, retryQuery } from './query-retry.ts'

const problem = (status: number, retryAfter?: number) =>
  new ApiProblem(status, { codigo: 'servico_indisponivel', detail: 'Indisponível.' }, retryAfter)

/** How often a query is sent, and the milliseconds between, when it fails each time. */
const attempts = (error: unknown): number[] => {
  const delays: number[] = []
  for (let failures = 0; retryQuery(failures, error); failures += 1) delays.push(retryDelay(failures, error))
  return delays
}

describe('a query that fails', () => {
  test('is not sent again when the server refuses it', () => {
    expect(attempts(problem(403))).toEqual([])
    expect(attempts(problem(429, 30))).toEqual([])
  })

  test('is sent once more after a fault of the network or the server', () => {
    expect(attempts(new TypeError('Failed to fetch'))).toEqual([800])
    expect(attempts(problem(500))).toEqual([800])
  })

  test('is sent again for about 10 seconds when the server names a time, as it does while the database restarts', () => {
    expect(attempts(problem(503, 2))).toEqual([2_000, 2_000, 2_000, 2_000])
  })

  test('does not wait longer than a person does', () => {
    expect(attempts(problem(503, 60))).toEqual([])
  })
})
