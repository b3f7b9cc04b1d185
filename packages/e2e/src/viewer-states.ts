import type { Page } from 'playwright-core'
import { expectAccessible, expectNoSidewaysScroll, sizes, viewports } from './visitor.ts'

/** What led to a page is not to be seen on it: one with the same title is judged by axe once. */
const judged = new Set<string>()

/** The page that takes the report's place, at both sizes: nothing of a report is on the screen that a change could disturb. */
export const expectProblem = async (page: Page, title: string) => {
  const own = page.viewportSize() ?? viewports.desktop
  const isKnown = judged.has(title)
  judged.add(title)
  for (const size of sizes) {
    await page.setViewportSize(viewports[size])
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    if (!isKnown) await expectAccessible(page, `${title} on the ${size}`)
    await expectNoSidewaysScroll(page)
  }
  await page.setViewportSize(own)
}

/** What is said beside a report that stays on the screen. */
export const expectNotice = async (page: Page, sentence: RegExp) => {
  await page.getByText(sentence).waitFor()
  await expectAccessible(page, String(sentence))
  await expectNoSidewaysScroll(page)
}

/** The tokens that this page was given from now on, and how long (ms) the last of them lives by the real clock. */
export const watchTokens = (page: Page) => {
  let count = 0
  let lifeMs = 0
  page.on('response', async (response) => {
    if (!response.url().endsWith('/relatorio/embed') || !response.ok()) return
    lifeMs = Date.parse((await response.json()).expiration) - Date.now()
    count += 1
  })
  return { count: () => count, lifeMs: () => lifeMs }
}
