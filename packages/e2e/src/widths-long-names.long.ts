import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinBrowser, leaveBrowser } from './browser/browser.ts'
import { expectNoSidewaysScroll } from './browser/visitor.ts'
import { narrowSizes, walkScreens } from './pictures/all-screens.ts'
import { brokenWords, cutControls, unmarkedInForcedColors } from './pictures/narrow-faults.ts'
import { type Demo, startDemo } from './services/demo.ts'

/* Every screen with long names, on small phones and at 400 %, and in forced colours. */

let demo: Demo
beforeAll(async () => {
  demo = await startDemo()
}, 300_000)
afterAll(async () => {
  await leaveBrowser()
  await demo?.stop()
})

const desktop = { width: 1440, height: 900 }

test('every screen shows long names at 320, 360 and 390 px, and what is open in forced colours', async () => {
  const found: string[] = []
  const evaluate = async (page: Page, screen: string, at: string) => {
    const report = (fault: string) => {
      console.log(`${screen}, ${at}: ${fault}`)
      found.push(`${screen}, ${at}: ${fault}`)
    }
    await expectNoSidewaysScroll(page).catch(({ message }: Error) => report(message))
    for (const control of await cutControls(page)) report(`cut control: ${control}`)
    for (const word of await brokenWords(page, 'h1, h2, h3, p, li, a, button, label, dt, dd, th, td'))
      report(`broken word: ${word}`)
    if (at === `${desktop.width}-light`)
      for (const entry of await unmarkedInForcedColors(page)) report(`unmarked in forced colours: ${entry}`)
  }
  await walkScreens(await joinBrowser(), demo, evaluate, {
    only: new RegExp(process.env.SCREENS ?? ''),
    sizes: [...narrowSizes, desktop],
    hasLongNames: true,
  })
  expect(found).toEqual([])
})
