import type { Page } from 'playwright-core'
import { expectAccessible, expectNoSidewaysScroll, looks, turnTo, type Visitor } from './visitor.ts'

/** What led to a page is not to be seen on it: one with the same title is judged by axe once. */
const judged = new Set<string>()

/** The page that takes the report's place, in both looks: nothing of a report is on the screen that a change could disturb. */
export const expectProblem = async ({ page, look: own }: Visitor, title: string) => {
  const isKnown = judged.has(title)
  judged.add(title)
  for (const look of looks) {
    await turnTo(page, look)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    const { size, colorScheme } = look
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    if (!isKnown) await expectAccessible(page, `${title}, ${size} ${colorScheme}`)
    await expectNoSidewaysScroll(page)
  }
  await turnTo(page, own)
}

/** What is said beside a report that stays on the screen, in the look of whoever reads it: to change that would open it anew. */
export const expectNotice = async (page: Page, sentence: RegExp) => {
  await page.getByText(sentence).waitFor()
  await expectAccessible(page, String(sentence))
  await expectNoSidewaysScroll(page)
}

/**
 * The tokens that this page was given from now on, and how long (ms) the last of them lives by the real clock. A token that the page
 * has is read, and counted, a moment later: what must be there is waited for.
 */
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
