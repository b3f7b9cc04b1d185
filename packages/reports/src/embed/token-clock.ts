/** Calls `expired` once when the armed moment has come, also after the machine slept through it. */
export function createTokenClock(expired: () => void) {
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
    /** Milliseconds since the epoch. */
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

/** Timers of 2^31 ms and more fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1
