/**
 * Runs the work every `everyMs` milliseconds, unless its last run is still in progress. The work
 * handles its own errors.
 * @param first the work that the first run waits for
 */
export const startRepeating = (everyMs: number, work: () => Promise<unknown>, first?: Promise<unknown>) => {
  let running: Promise<unknown> | undefined
  const wait = (run: Promise<unknown>) => {
    running = run.finally(() => {
      running = undefined
    })
  }
  if (first) wait(first)
  const timer = setInterval(() => {
    if (!running) wait(work())
  }, everyMs)
  return {
    /** Resolves when no run is in progress any more. */
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await running
    },
  }
}
