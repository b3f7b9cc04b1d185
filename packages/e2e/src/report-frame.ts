import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the viewer says that its report is drawn. */
export const untilRendered = async (page: Page): Promise<Frame> => {
  await page.locator('[data-state="renderizado"]').waitFor({ timeout: 40_000 })
  const frame = page.frames().find((candidate) => candidate.url().includes('/reportEmbed'))
  if (!frame) throw new Error('the report has no frame')
  return frame
}

/** The data that each visual shows, as its hidden table holds it: name → rows of texts. */
export const dataOf = (frame: Frame): Promise<Record<string, string[][]>> =>
  frame.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLTableElement>('table[data-visual]')].map((table) => [
        table.dataset.visual ?? '',
        [...table.tBodies].flatMap((body) =>
          [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent ?? '')),
        ),
      ]),
    ),
  )

/** Every visual of the page shows data, and every chart has drawn something. */
export const expectDrawn = async (frame: Frame, what: string): Promise<void> => {
  const data = await dataOf(frame)
  expect(Object.keys(data).length, `${what}: visuals`).toBeGreaterThan(2)
  for (const [visual, rows] of Object.entries(data))
    expect(rows.length, `${what}: rows of ${visual}`).toBeGreaterThan(0)
}
