import type { Page } from 'playwright-core'
import {
  applyLook,
  expectAccessible,
  expectNoSidewaysScroll,
  looks,
  type Visitor,
} from '../browser/visitor.ts'

/** Titles already checked by axe: pages with the same title look the same. */
const evaluated = new Set<string>()

/** Expects the error page that replaces the report, in both looks. */
export const expectProblem = async ({ page, look: own }: Visitor, title: string) => {
  const isKnown = evaluated.has(title)
  evaluated.add(title)
  for (const look of looks) {
    await applyLook(page, look)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    const { size, colorScheme } = look
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    if (!isKnown) await expectAccessible(page, `${title}, ${size} ${colorScheme}`)
    await expectNoSidewaysScroll(page)
  }
  await applyLook(page, own)
}

/** Expects a notice next to an open report, in one look: changing it reloads the report. */
export const expectNotice = async (page: Page, sentence: RegExp) => {
  await page.getByText(sentence).waitFor()
  await expectAccessible(page, String(sentence))
  await expectNoSidewaysScroll(page)
}

/**
 * Counts the tokens that the page receives from now on and returns the last one's real lifetime in
 * ms. A token is counted slightly after the page has it, so expectations must poll.
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
