import { setTimeout as sleep } from 'node:timers/promises'
import { ApiProblem } from '@bi-manager/contract'
import { retryDelay, retryQuery } from '../../packages/web/src/lib/api/query-retry.ts'

/**
 * How the web app treats a failed call. `query`: lib/api/query-retry.ts. `report`: the viewer opens or
 * draws the report again on its own. `write`: the user reads the message and decides. `quiet`: the
 * user notices nothing.
 */
type Policy = 'query' | 'report' | 'write' | 'quiet'

/** Milliseconds of automatic retries after which a user counts as having seen the failure. */
const patienceMs = 10_000

interface Attempt {
  at: number
  kind: string
  what: string
}

interface Failure extends Attempt {
  /** Whether the answer had a Portuguese sentence for the screen. */
  isClear: boolean
}

/** Counts calls, failed attempts, and failures that a user saw. */
export const createTally = () => {
  const calls = new Map<string, number>()
  /** Each failed attempt, whether retried or not. */
  const lost: Attempt[] = []
  const failures: Failure[] = []
  /** Calls that succeeded only after a retry, with the milliseconds that the user waited. */
  const late: { at: number; ms: number }[] = []

  const call = async <T>(kind: string, policy: Policy, attempt: () => Promise<T>): Promise<T> => {
    calls.set(kind, (calls.get(kind) ?? 0) + 1)
    const startedAt = Date.now()
    for (let failed = 0; ; failed += 1) {
      try {
        const answer = await attempt()
        if (failed > 0) late.push({ at: startedAt, ms: Date.now() - startedAt })
        return answer
      } catch (error) {
        const what = describe(error)
        lost.push({ at: Date.now(), kind, what })
        const delayMs = repeatAfter(policy, failed, error)
        if (delayMs === undefined || Date.now() + delayMs - startedAt > patienceMs) {
          if (policy !== 'quiet') failures.push({ at: Date.now(), kind, what, isClear: isClear(error) })
          throw error
        }
        await sleep(delayMs)
      }
    }
  }
  /** Counts a visible failure without a failed call, such as an export that ends in an error. */
  const failed = (kind: string, what: string) => {
    failures.push({ at: Date.now(), kind, what, isClear: true })
  }
  const total = () => [...calls.values()].reduce((sum, one) => sum + one, 0)
  return { call, failed, calls, lost, failures, late, total }
}

export type Tally = ReturnType<typeof createTally>

/** Returns the milliseconds until the retry; undefined when the web app does not retry. */
const repeatAfter = (policy: Policy, failures: number, error: unknown): number | undefined => {
  if (policy === 'write' || policy === 'quiet') return undefined
  if (policy === 'query') return retryQuery(failures, error) ? retryDelay(failures, error) : undefined
  if (error instanceof ApiProblem && error.status < 500) return undefined
  return error instanceof ApiProblem && error.retryAfter ? error.retryAfter * 1_000 : 4_000
}

const describe = (error: unknown): string => {
  if (error instanceof ApiProblem) return `${error.status} ${error.message}`
  return isLost(error) ? networkSentence : String(error)
}

/** The web app's message when no HTTP answer arrived (lib/api.ts). */
const networkSentence = 'Não foi possível falar com o servidor. Verifique sua conexão e tente novamente.'

/** Returns whether the connection to the balancer ended without an answer. */
export const isLost = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined

const isClear = (error: unknown): boolean =>
  isLost(error) ||
  (error instanceof ApiProblem && error.codigo !== 'resposta_invalida' && error.message.length > 10)
