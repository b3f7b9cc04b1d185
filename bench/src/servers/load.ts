import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'

export interface Load {
  /** Answers per second, over the whole run. */
  rate: number
  /** Number of answers, including the warm-up. */
  calls: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export interface Target {
  url: string
  method?: 'GET' | 'POST'
  /** Headers of the callers, used in turn. */
  headers?: Record<string, string>[]
  body?: string
  /** Bodies of the callers, used in turn; each connection starts at another one. */
  bodies?: string[]
  connections?: number
}

/**
 * Loads one address over loopback with 64 connections by default, after a second of warm-up.
 * @throws Error when any answer is not 2xx: fast refusals are not comparable
 */
export const measure = async (target: Target, seconds = 4): Promise<Load> => {
  const { url, method = 'GET', headers = [{}], bodies = [target.body], connections = 64 } = target
  const requests = bodies.flatMap((body) =>
    headers.map((own) => ({ method, headers: own, ...(body === undefined ? {} : { body }) })),
  )
  const { pathname: path } = new URL(url)
  const run = (duration: number) => {
    let connected = 0
    return autocannon({
      url,
      connections,
      duration,
      requests,
      setupClient: (client) => {
        if (bodies.length === 1) return
        const first = Math.floor((connected * requests.length) / connections)
        connected += 1
        client.setRequests(
          [...requests.slice(first), ...requests.slice(0, first)].map((one) => ({ ...one, path })),
        )
      },
    })
  }
  const warmUp = await run(1)
  // Wait until the requests of the warm-up are finished.
  await setTimeout(1_000)
  const { requests: answered, latency, non2xx, errors } = await run(seconds)
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return {
    rate: Math.round(answered.average),
    calls: answered.total + warmUp.requests.total,
    p50: latency.p50,
    p99: latency.p99,
  }
}
