import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { setReachable } from '../src/lib/api/connection.ts'
import { observeServerTime } from '../src/lib/clock/server-clock.ts'

// Generous: a test must not fail because the machine is busy.
configure({ asyncUtilTimeout: 5_000 })

// happy-dom lacks document.fonts; an autosizing textarea listens for late fonts.
if (globalThis.document && !document.fonts) {
  Object.defineProperty(document, 'fonts', { value: new EventTarget() })
}

/**
 * Makes the server reachable again, with the time of this computer: the files of a worker share both,
 * and a call that another file left may fail at any time.
 */
const resetSharedState = async () => {
  // After `vi.resetModules()` there are two of each: this file's, and those of the modules loaded since.
  const clock = await import('../src/lib/clock/server-clock.ts')
  const connection = await import('../src/lib/api/connection.ts')
  for (const observe of [observeServerTime, clock.observeServerTime])
    observe(new Date().toUTCString(), Date.now(), Date.now())
  for (const set of [setReachable, connection.setReachable]) set(true)
}

beforeEach(resetSharedState)
// Runs after the test file's own hooks, so with the real clock again.
afterEach(async () => {
  cleanup()
  globalThis.localStorage?.clear()
  await resetSharedState()
})
