import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinBrowser, leaveBrowser } from './browser/browser.ts'
import { expectReadable } from './browser/visitor.ts'
import { walkScreens } from './pictures/all-screens.ts'
import { brokenWords } from './pictures/narrow-faults.ts'
import { type Demo, startDemo } from './services/demo.ts'

/* Every screen at every reviewed width, in both themes. `npm run screenshots -- review` shows them. */

let demo: Demo
beforeAll(async () => {
  demo = await startDemo()
}, 300_000)
afterAll(async () => {
  await leaveBrowser()
  await demo?.stop()
})

/** Returns the buttons lower than 44 px, without those within fields and lines of text. */
const lowButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const exempt = '.mantine-Input-section *, [data-size="xs"], [data-size="sm"], [data-size^="compact"]'
    return [
      ...document.querySelectorAll(`:is(.mantine-ActionIcon-root, .mantine-Button-root):not(${exempt})`),
    ]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .filter((button) => button.getBoundingClientRect().height < 43.5)
      .map((button) => button.getAttribute('aria-label') ?? button.textContent)
  })

/** Returns the headings that are broken into a column of letters. */
const brokenHeadings = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('h1')]
      .filter(
        (heading) =>
          heading.getBoundingClientRect().height > 5 * Number.parseFloat(getComputedStyle(heading).fontSize),
      )
      .map((heading) => heading.textContent),
  )

/** Returns the badges whose text is cut. */
const cutBadges = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.mantine-Badge-label')]
      .filter((label) => label.checkVisibility() && label.scrollWidth > label.clientWidth)
      .map((label) => label.textContent),
  )

/** Screens that fill the window: only the report or the panel in them scrolls. */
const filling = /^(viewer|reader-viewer|records-)/

test('every screen is readable at six widths, in both themes', async () => {
  const found: string[] = []
  const only = new RegExp(process.env.SCREENS ?? '')
  const evaluate = async (page: Page, screen: string, at: string) => {
    const report = (fault: string) => {
      console.log(`${screen}, ${at}: ${fault}`)
      found.push(`${screen}, ${at}: ${fault}`)
    }
    // A report takes another layout, and its frame another page, where a phone becomes a tablet.
    const again = async (error: Error) => {
      if (!/context was destroyed/.test(error.message)) throw error
      await page.locator('[data-state="renderizado"]').first().waitFor()
      await expectReadable(page, screen)
    }
    await expectReadable(page, screen)
      .catch(again)
      .catch(({ message, actual }: Error & { actual?: unknown }) =>
        report(`${message} ${JSON.stringify(actual)}`),
      )
    for (const heading of await brokenHeadings(page)) report(`broken heading: ${heading}`)
    for (const word of await brokenWords(page, 'th, td')) report(`broken word: ${word}`)
    for (const badge of await cutBadges(page)) report(`cut badge: ${badge}`)
    const below = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
    if (filling.test(screen) && below > 1) report(`scrolls ${below} px below the window`)
    if (at.startsWith('390-')) for (const button of await lowButtons(page)) report(`low button: ${button}`)
  }
  await walkScreens(await joinBrowser(), demo, evaluate, { only })
  expect(found).toEqual([])
})
