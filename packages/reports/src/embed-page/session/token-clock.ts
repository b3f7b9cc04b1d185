/** Calls `expired` once at the given time, also after the machine slept past it. */
export const createTokenClock = (expired: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let endsAt = Number.POSITIVE_INFINITY

  function check() {
    clearTimeout(timer)
    if (endsAt === Number.POSITIVE_INFINITY) return
    const left = endsAt - Date.now()
    if (left > 0) {
      timer = setTimeout(check, Math.min(left, LONGEST_TIMER))
      return
    }
    endsAt = Number.POSITIVE_INFINITY
    expired()
  }
  document.addEventListener('visibilitychange', check)

  return {
    /** `at` is in milliseconds since the epoch. */
    arm(at: number) {
      endsAt = at
      check()
    },
    stop() {
      endsAt = Number.POSITIVE_INFINITY
      clearTimeout(timer)
    },
  }
}

/** Browsers fire timers of 2^31 ms and more at once. */
const LONGEST_TIMER = 2 ** 31 - 1
