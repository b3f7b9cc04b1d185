import { beforeEach } from 'vitest'
import { openPages } from './browser.ts'

/** Set up for each file of journeys: where a journey fails, what its pages show is said beside it. */
beforeEach(({ onTestFailed, task }) => {
  onTestFailed(async () => {
    for (const page of await openPages()) {
      // A page that is stuck answers nothing, which tells as much.
      const shown = await page.locator('body').ariaSnapshot({ timeout: 3_000 }).catch(String)
      console.error(`'${task.name}' has failed; ${page.url()} shows:\n${shown.slice(0, 6_000)}`)
    }
  })
})
