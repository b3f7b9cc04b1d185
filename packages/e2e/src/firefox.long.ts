import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differenceOf } from './other-browsers/compare-pictures.ts'
import { firefoxPath, launchChromium, launchFirefox } from './other-browsers/launch-browsers.ts'
import { type Walked, walk } from './other-browsers/walk.ts'
import { reportsOf, signedInClient } from './people/api.ts'
import { people } from './people/people.ts'
import { type Demo, startDemo } from './services/demo.ts'

/* The main tasks in Firefox, compared with Chromium. PICTURES=folder keeps the pictures. */

/** The share of a picture's blocks that may differ: fonts and form controls do. */
const TOLERANCE = 0.06

describe.skipIf(firefoxPath === undefined)('Firefox (skipped without Debian’s package firefox-esr)', () => {
  let demo: Demo
  let chromium: Browser
  let firefox: Browser
  let expected: Walked
  let found: Walked
  beforeAll(async () => {
    demo = await startDemo()
    ;[chromium, firefox] = await Promise.all([launchChromium(), launchFirefox()])
    const reportsFor = async (person: (typeof people)[keyof typeof people]) => {
      const { menu } = await signedInClient(demo.portal, person)
      return reportsOf(await menu())
    }
    const named = (reports: Awaited<ReturnType<typeof reportsFor>>, wanted: string) =>
      reports.find(({ name }) => name === wanted) ?? expect.fail(`there is no report ${wanted}`)
    const all = await reportsFor(people.admin)
    const reports = {
      first: named(all, 'Sinistralidade'),
      second: named(all, 'Prestadores'),
      clinical: named(await reportsFor(people.helena), 'Sinistralidade'),
    }
    expected = await walk(chromium, demo.portal, reports)
    found = await walk(firefox, demo.portal, reports)
    const folder = process.env.PICTURES
    if (!folder) return
    await mkdir(folder, { recursive: true })
    for (const [browser, { pictures }] of Object.entries({ chromium: expected, firefox: found }))
      for (const [name, picture] of Object.entries(pictures))
        await writeFile(join(folder, `${name.replaceAll(' ', '-')}-${browser}.png`), picture)
  }, 400_000)
  afterAll(async () => {
    await Promise.all([chromium?.close(), firefox?.close()])
    await demo?.stop()
  })

  test('shows the same data, without visible captions, empty charts or errors', () => {
    expect(found.data).toEqual(expected.data)
    expect([found.faults, found.complaints]).toEqual([[], []])
    expect([expected.faults, expected.complaints]).toEqual([[], []])
  })

  test('looks like Chromium on every screen', { timeout: 60_000 }, async () => {
    const names = Object.keys(expected.pictures)
    expect(names).toHaveLength(10)
    const shares: Record<string, number> = {}
    for (const name of names) {
      const [one, other] = [expected.pictures[name], found.pictures[name]]
      if (!one || !other) throw new Error(`there is no picture ${name}`)
      shares[name] = await differenceOf(chromium, one, other)
    }
    console.log(shares)
    for (const [name, share] of Object.entries(shares)) expect(share, name).toBeLessThanOrEqual(TOLERANCE)
  })

  test('the comparison tells apart another look, another report and another size', async () => {
    const { report, 'dark report': dark, 'second report': second, home } = expected.pictures
    const phone = expected.pictures['report on the phone']
    if (!report || !dark || !second || !home || !phone) throw new Error('pictures are missing')
    for (const other of [dark, second, home, phone])
      expect(await differenceOf(chromium, report, other)).toBeGreaterThan(2 * TOLERANCE)
    expect(await differenceOf(chromium, report, report)).toBe(0)
  })
})
