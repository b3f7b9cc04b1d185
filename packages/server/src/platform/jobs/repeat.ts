import type { FastifyBaseLogger } from 'fastify'

/** Work that is done again and again, until it is stopped. */
interface Repeated {
  /** Completes the sentence 'the … failed' of the log, for example 'watch of capacities'. */
  name: string
  /** Milliseconds from one start to the next. */
  everyMs: number
  log: Pick<FastifyBaseLogger, 'error'>
  /** What is done at once; by default, nothing before the first interval has passed. */
  first?: Look
}

/** It may end early once `stopped` is aborted. */
type Look = (stopped: AbortSignal) => Promise<unknown>

/** Milliseconds. Work that is done less often logs each failure. */
const OFTEN = 10 * 60_000

/**
 * Does the work every `everyMs` milliseconds, unless its last run is still in progress. Frequent work
 * that fails in the same way, for example while the database is unavailable, logs that once.
 */
export const startRepeating = ({ name, everyMs, log, first }: Repeated, work: Look) => {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let logged: string | undefined
  const run = async (one: Look): Promise<void> => {
    try {
      await one(stopping.signal)
      logged = undefined
    } catch (err) {
      const failure = String(err)
      if (failure !== logged || everyMs >= OFTEN) log.error({ err }, `the ${name} failed`)
      logged = failure
    }
  }
  const begin = (one: Look) => {
    running = run(one).finally(() => {
      running = undefined
    })
  }
  if (first) begin(first)
  const timer = setInterval(() => {
    if (!running) begin(work)
  }, everyMs)
  return {
    /** Resolves when no run is in progress any more. */
    stop: async (): Promise<void> => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
