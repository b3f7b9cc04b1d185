import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BrowserPage } from './browser-page.ts'
import { compareBrowsers } from './compare-browsers.ts'

/** The share of a picture's blocks that may differ: fonts and form controls do. */
const TOLERANCE = 0.05

interface OtherBrowser {
  isInstalled: boolean
  /** For the pictures' files. */
  name: string
  launch: () => Promise<{ openPage: () => Promise<BrowserPage>; close: () => Promise<void> }>
}

/** Tests the main tasks in a browser against Chromium. PICTURES=folder keeps the pictures. */
export const describeBrowser = (title: string, { isInstalled, name, launch }: OtherBrowser): void => {
  describe.skipIf(!isInstalled)(title, () => {
    let browser: Awaited<ReturnType<typeof launch>> | undefined
    let compared: Awaited<ReturnType<typeof compareBrowsers>>
    beforeAll(async () => {
      browser = await launch()
      compared = await compareBrowsers(name, browser.openPage)
    }, 400_000)
    afterAll(() => browser?.close())

    test('the browser shows the same data, without visible captions, empty charts or errors', () => {
      const { expected, found } = compared
      expect(found.data).toEqual(expected.data)
      expect([found.faults, found.complaints]).toEqual([[], []])
      expect([expected.faults, expected.complaints]).toEqual([[], []])
    })

    test('the browser looks like Chromium on every screen', () => {
      const { difference, found } = compared
      expect(Object.keys(found.pictures)).toHaveLength(10)
      console.log(difference)
      for (const [screen, share] of Object.entries(difference))
        expect(share, screen).toBeLessThanOrEqual(TOLERANCE)
    })

    test('the comparison tells apart another look, another report and another size', () => {
      const { same, ...others } = compared.others
      expect(same).toBe(0)
      for (const share of Object.values(others)) expect(share).toBeGreaterThan(2 * TOLERANCE)
    })
  })
}
