import type { FastifyBaseLogger } from 'fastify'

/** Work that is done again and again, until it is stopped. */
interface Repeated {
  /** Completes the sentence 'the … failed' of the log, for example 'watch of capacities'. */
  name: string
  /** Milliseconds from one start to the next. */
  everyMs: number
  log: Pick<FastifyBaseLogger, 'error'>
  /** What is done at once; by default, nothing before the first interval has passed. */
  first?: Work
}

/** The work may end early once `stopped` is aborted. */
type Work = (stopped: AbortSignal) => Promise<unknown>

/**
 * Does the work every `everyMs` milliseconds, unless its last run is still in progress. A failure is
 * logged once, not each time while, for example, the database is unavailable.
 */
export const startRepeating = ({ name, everyMs, log, first }: Repeated, work: Work) => {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let hasLoggedFailure = false
  const run = async (one: Work): Promise<void> => {
    try {
      await one(stopping.signal)
      hasLoggedFailure = false
    } catch (err) {
      if (!hasLoggedFailure) log.error({ err }, `the ${name} failed`)
      hasLoggedFailure = true
    }
  }
  const begin = (one: Work) => {
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
