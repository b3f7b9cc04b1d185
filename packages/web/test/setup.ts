import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { observeServerTime } from '../src/lib/clock/server-clock.ts'

// Generous: a test must not fail because the machine is busy.
configure({ asyncUtilTimeout: 5_000 })

// happy-dom lacks document.fonts; an autosizing textarea listens for late fonts.
if (globalThis.document && !document.fonts) {
  Object.defineProperty(document, 'fonts', { value: new EventTarget() })
}

/** Takes the computer's time for the server's again: the files of a worker share this clock. */
const resetServerClock = async () => {
  // After `vi.resetModules()` there are two clocks: this file's, and that of the modules loaded since.
  const current = await import('../src/lib/clock/server-clock.ts')
  for (const observe of [observeServerTime, current.observeServerTime])
    observe(new Date().toUTCString(), Date.now(), Date.now())
}

// Runs after the test file's own hooks, so with the real clock again.
afterEach(async () => {
  cleanup()
  globalThis.localStorage?.clear()
  await resetServerClock()
})
