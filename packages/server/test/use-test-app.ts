import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startTestApp, type TestApp } from './test-app.ts'

type Environment = Parameters<typeof startTestApp>[0]

interface Options {
  /** See `startTestApp`. */
  alone?: boolean
  /** False: the rows and the clock of one test stay for the next. */
  resets?: boolean
}

/**
 * Starts the server for the tests of a file or `describe`, empties its database and sets its clock
 * before each test, and closes it after the last.
 * @param environment a function when it needs what an earlier `beforeAll` starts
 * @returns the app, whose properties exist from the first `beforeAll` after this call on
 */
export const useTestApp = (
  environment: Environment | (() => Environment) = {},
  { alone = false, resets = true }: Options = {},
): TestApp => {
  const app = {} as TestApp
  beforeAll(async () => {
    const settings = typeof environment === 'function' ? environment() : environment
    Object.assign(app, await startTestApp(settings, { alone }))
  })
  if (resets) {
    beforeEach(async () => {
      await app.reset()
      app.clock.offsetMs = 0
    })
  }
  afterAll(() => app.close())
  return app
}
