/** A caller waits this long for the read, then gets the value as it last was. */
const WAIT_MS = 500
/** Reads within this time share one query: no limit applies to pages. */
const SHARED_MS = 200
/** A read without an answer is replaced by another one after this time. */
const GIVEN_UP_MS = 10_000

/**
 * Returns a function that returns what was read. It never fails: it falls back to the last known
 * value.
 * @param initial the value until a read succeeds
 */
export const createLastKnownReader = <V>(read: () => Promise<V>, initial: V): (() => Promise<V>) => {
  let last = initial
  let reading: Promise<void> | undefined
  let startedAt = Number.NEGATIVE_INFINITY

  const start = () => {
    const own = read()
      .then(
        (value) => {
          if (reading === own) last = value
        },
        () => {
          // The next caller reads again.
          if (reading === own) startedAt = Number.NEGATIVE_INFINITY
        },
      )
      .then(() => {
        if (reading === own) reading = undefined
      })
    reading = own
    startedAt = performance.now()
  }

  return async () => {
    const age = performance.now() - startedAt
    if (age >= (reading ? GIVEN_UP_MS : SHARED_MS)) start()
    if (reading) await settledWithin(reading, WAIT_MS)
    return last
  }
}

/** Resolves with the promise or after `ms`, and leaves no timer. */
const settledWithin = (promise: Promise<void>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    timer.unref()
    void promise.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
