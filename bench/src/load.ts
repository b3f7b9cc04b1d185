import autocannon from 'autocannon'

export interface Load {
  /** Answers a second, over the whole run. */
  rate: number
  /** All that were answered, warm-up included. */
  calls: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export interface Target {
  url: string
  method?: 'GET' | 'POST'
  /** Of the people who call, in turns. */
  headers?: Record<string, string>[]
  body?: string
  connections?: number
}

/**
 * Loads one address over loopback with 64 connections (unless told), after a second of warm-up.
 * @throws Error when any answer is not 2xx: a fast refusal is no figure
 */
export const measure = async (target: Target, seconds = 4): Promise<Load> => {
  const { url, method = 'GET', headers = [{}], body, connections = 64 } = target
  const run = (duration: number) =>
    autocannon({
      url,
      connections,
      duration,
      requests: headers.map((own) => ({ method, headers: own, ...(body === undefined ? {} : { body }) })),
    })
  const warmUp = await run(1)
  const { requests, latency, non2xx, errors } = await run(seconds)
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return {
    rate: Math.round(requests.average),
    calls: requests.total + warmUp.requests.total,
    p50: latency.p50,
    p99: latency.p99,
  }
}
