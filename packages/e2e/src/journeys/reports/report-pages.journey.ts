import type { Frame } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { readPage, settled, waitForRendered } from '../../browser/report-frame.ts'
import { expectFrameAccessible, expectNoSidewaysScroll, looks, visit } from '../../browser/visitor.ts'
import { goWithin, openAndAwaitView } from '../../browser/within-portal.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/* The content and accessibility of every page of every demo report. */

const portal = inject('portal')
let reports: { name: string; path: string }[]
beforeAll(async () => {
  const { menu } = await signedInClient(portal, people.admin)
  reports = reportsOf(await menu())
})

const PAGES = 31

describe('every page of every report', () => {
  test.each(looks)(
    'every page of every report is complete and accessible on the $size, in the $colorScheme',
    {
      timeout: 400_000,
    },
    async ({ size, colorScheme }) => {
      const visitor = await visit({ size, colorScheme })
      const { page } = visitor
      await visitor.enter(people.admin, '/privacidade')
      let pages = 0
      for (const { name, path } of reports) {
        await openAndAwaitView(page, () => goWithin(page, path))
        const frame = await waitForRendered(page)
        const tabs = frame.getByRole('tab')
        for (let at = 0; at < (await tabs.count()); at++) {
          await tabs.nth(at).click()
          const what = `${name}, ${await tabs.nth(at).textContent()}, ${size}`
          await settled(frame)
          await expectWhole(frame, what)
          await expectNoSidewaysScroll(page)
          await expectFrameAccessible(frame, what)
          pages++
        }
      }
      expect(pages).toBe(PAGES)
      await visitor.close()
    },
  )
})

test.each([
  { width: 1_024, opens: false },
  { width: 1_279, opens: false },
  { width: 1_280, opens: true },
])(
  'at $width pixels, the menu cuts no title of a report, open or closed',
  { timeout: 120_000 },
  async ({ width, opens }) => {
    const visitor = await visit()
    const { page, main } = visitor
    await page.setViewportSize({ width, height: 800 })
    await visitor.enter(people.admin, '/privacidade')
    const toggle = (opened: boolean) =>
      page.getByRole('button', { name: opened ? 'Fechar menu' : 'Abrir menu', exact: true })
    const look = async (report: string, opened: boolean) => {
      await toggle(opened).waitFor()
      const frame = await waitForRendered(page)
      await settled(frame)
      const heading = main.getByRole('heading', { level: 1 }).locator('..')
      const cutTitles = async () => [
        ...(await readPage(frame)).cutTitles,
        ...(await heading.evaluate(cutTexts)),
      ]
      // The report follows the new size with a delay.
      const message = `${report}, menu ${opened ? 'open' : 'closed'}`
      await expect.poll(cutTitles, { message }).toEqual([])
      await expectNoSidewaysScroll(page)
    }
    for (const { name, path } of reports) {
      await openAndAwaitView(page, () => goWithin(page, path))
      await look(name, opens)
      await toggle(opens).click()
      await look(name, !opens)
      await toggle(!opens).click()
    }
    await visitor.close()
  },
)

/** Returns the texts of the element that are wider or higher than their place. */
const cutTexts = (element: Element): string[] =>
  [element, ...element.querySelectorAll('*')]
    .filter(
      ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
    )
    .map(({ textContent }) => textContent ?? '')

/** Expects that each visual shows its data and that nothing is cut off. */
const expectWhole = async (frame: Frame, what: string) => {
  const shown = await readPage(frame)
  expect(shown.notices, `${what}: sentences in place of visuals`).toEqual([])
  expect(shown.blank, `${what}: charts on which nothing is drawn`).toEqual([])
  expect(shown.cutTitles, `${what}: titles cut`).toEqual([])
  expect(shown.wideTables, `${what}: tables wider than their place`).toEqual([])
  expect(shown.overflow, `${what}: pixels beyond the right edge`).toBeLessThanOrEqual(0)
  expect(shown.visuals, `${what}: visuals`).toBeGreaterThan(1)
}
