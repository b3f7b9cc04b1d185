import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareBrowsers } from './other-browsers/compare-browsers.ts'
import { hasWebKit, launchWebKit } from './other-browsers/webkit.ts'

/* The main tasks in WebKitGTK, compared with Chromium. PICTURES=folder keeps the pictures. */

/** The share of a picture's blocks that may differ: fonts and form controls do. */
const TOLERANCE = 0.06

describe.skipIf(!hasWebKit)('WebKit (skipped without Debian’s packages webkit2gtk-driver and xvfb)', () => {
  let browser: Awaited<ReturnType<typeof launchWebKit>>
  let compared: Awaited<ReturnType<typeof compareBrowsers>>
  beforeAll(async () => {
    browser = await launchWebKit()
    compared = await compareBrowsers('webkit', () => browser.openPage())
  }, 400_000)
  afterAll(() => browser?.close())

  test('shows the same data, without visible captions, empty charts or errors', () => {
    const { expected, found } = compared
    expect(found.data).toEqual(expected.data)
    expect([found.faults, found.complaints]).toEqual([[], []])
    expect([expected.faults, expected.complaints]).toEqual([[], []])
  })

  test('looks like Chromium on every screen', () => {
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
