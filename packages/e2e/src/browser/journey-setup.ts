import { afterAll, afterEach, beforeEach } from 'vitest'
import { openClients } from '../people/api.ts'
import { leaveBrowser, openPages } from './browser.ts'

/* Setup of each journey file. */

afterAll(leaveBrowser)
afterAll(() => openClients.endSince(0))

let beforeTest = 0
beforeEach(() => {
  beforeTest = openClients.mark()
})
afterEach(() => openClients.endSince(beforeTest))

/** After a failure, logs what the open pages show. */
beforeEach(({ onTestFailed, task }) => {
  onTestFailed(async () => {
    for (const page of await openPages()) {
      // A page that is stuck yields the error instead.
      const shown = await page.locator('body').ariaSnapshot({ timeout: 3_000 }).catch(String)
      console.error(`'${task.name}' has failed; ${page.url()} shows:\n${shown.slice(0, 6_000)}`)
    }
  })
})
