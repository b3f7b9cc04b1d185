import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { expect } from 'vitest'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'
import { startDemo } from '../services/demo.ts'
import type { BrowserPage } from './browser-page.ts'
import { differenceOf } from './compare-pictures.ts'
import { launchChromium } from './launch-browsers.ts'
import { openPuppeteerPage } from './puppeteer-page.ts'
import { walk } from './walk.ts'

/**
 * Does the walk in Chromium and in another browser. With PICTURES=folder, the pictures are kept.
 * @param name for the pictures' files
 */
export const compareBrowsers = async (name: string, openPage: () => Promise<BrowserPage>) => {
  const demo = await startDemo()
  const chromium = await launchChromium()
  try {
    const reportsFor = async (person: (typeof people)[keyof typeof people]) => {
      const { menu } = await signedInClient(demo.portal, person)
      return reportsOf(await menu())
    }
    const named = (reports: Awaited<ReturnType<typeof reportsFor>>, wanted: string) =>
      reports.find((report) => report.name === wanted) ?? expect.fail(`there is no report ${wanted}`)
    const all = await reportsFor(people.admin)
    const reports = {
      first: named(all, 'Sinistralidade'),
      second: named(all, 'Prestadores'),
      clinical: named(await reportsFor(people.helena), 'Sinistralidade'),
    }
    const expected = await walk(() => openPuppeteerPage(chromium), demo.portal, reports)
    const found = await walk(openPage, demo.portal, reports)
    const folder = process.env.PICTURES
    if (folder) {
      await mkdir(folder, { recursive: true })
      for (const [browser, { pictures }] of Object.entries({ chromium: expected, [name]: found }))
        for (const [screen, picture] of Object.entries(pictures))
          await writeFile(join(folder, `${screen.replaceAll(' ', '-')}-${browser}.png`), picture)
    }
    const difference = await differencesOf(chromium, expected.pictures, found.pictures)
    const { report, 'dark report': dark, 'second report': second, home } = expected.pictures
    const phone = expected.pictures['report on the phone']
    if (!report || !dark || !second || !home || !phone) throw new Error('pictures are missing')
    // What the comparison must tell apart.
    const others = await differencesOf(
      chromium,
      { dark: report, second: report, home: report, phone: report, same: report },
      { dark, second, home, phone, same: report },
    )
    return { expected, found, difference, others }
  } finally {
    await chromium.close()
    await demo.stop()
  }
}

async function differencesOf(
  chromium: Browser,
  expected: Record<string, Uint8Array>,
  found: Record<string, Uint8Array>,
): Promise<Record<string, number>> {
  const shares: Record<string, number> = {}
  for (const [name, picture] of Object.entries(expected))
    shares[name] = await differenceOf(chromium, picture, found[name] ?? new Uint8Array())
  return shares
}
