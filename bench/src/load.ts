import autocannon from 'autocannon'

export interface Load {
  /** Answers a second, over the whole run. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
}

interface Target {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  connections?: number
}

/**
 * Loads one address over loopback with 16 connections (unless told), after a second of warm-up.
 * @throws Error when any answer is not 2xx: a fast refusal is no figure
 */
export const measure = async (target: Target, seconds = 4): Promise<Load> => {
  const run = (duration: number) => autocannon({ connections: 16, ...target, duration })
  await run(1)
  const { requests, latency, non2xx, errors } = await run(seconds)
  if (non2xx + errors > 0) throw new Error(`${target.url}: ${non2xx} answers were not 2xx, ${errors} failed`)
  return { rate: Math.round(requests.average), p50: latency.p50, p99: latency.p99 }
}
