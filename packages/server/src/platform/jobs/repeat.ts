type Work = (stopped: AbortSignal) => Promise<unknown>

/**
 * Runs the work every `everyMs` milliseconds, unless its last run is still in progress. The work
 * handles its own errors, and may end early once `stopped` is aborted.
 * @param first the work that starts at once
 */
export const startRepeating = (everyMs: number, work: Work, first?: Work) => {
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined
  const wait = (run: Promise<unknown>) => {
    running = run.finally(() => {
      running = undefined
    })
  }
  if (first) wait(first(stopping.signal))
  const timer = setInterval(() => {
    if (!running) wait(work(stopping.signal))
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
