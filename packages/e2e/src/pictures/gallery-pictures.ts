import { mkdir, writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { settled, waitForRendered } from '../browser/report-frame.ts'
import { openBrowserProfile, type Size, viewports } from '../browser/visitor.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

/** Every page on the desktop in one of the themes, and two pages of each report on a phone. */
const sets: { size: Size; colorScheme: 'light' | 'dark'; pages: (at: number, report: string) => boolean }[] =
  [
    { size: 'desktop', colorScheme: 'light', pages: (at) => at !== 1 },
    // The second page of each report, and all pages of one report.
    { size: 'desktop', colorScheme: 'dark', pages: (at, report) => at === 1 || report === BOTH },
    { size: 'phone', colorScheme: 'light', pages: (at) => at === 0 },
    { size: 'phone', colorScheme: 'dark', pages: (at) => at === 1 },
  ]
const BOTH = 'Sinistralidade'

/** Time (ms) for the charts to be rendered again at their final size. */
const SETTLING = 900

/** Takes the pictures of docs/galeria.md, into `galeria` below the folder. */
export const shootGallery = async (browser: Browser, portal: string, folder: string): Promise<void> => {
  const { menu } = await signedInClient(portal, people.admin)
  const reports = reportsOf(await menu())
  await mkdir(`${folder}galeria`, { recursive: true })
  for (const { size, colorScheme, pages } of sets) {
    const visitor = await openBrowserProfile(browser, { portal, size, colorScheme })
    const { page } = visitor
    await visitor.goto('/')
    await visitor.signIn(people.admin)
    for (const { name, path } of reports) {
      await visitor.goto(path)
      const frame = await waitForRendered(page)
      const tabs = frame.getByRole('tab')
      for (let at = 0; at < (await tabs.count()); at++) {
        if (!pages(at, name)) continue
        await tabs.nth(at).click()
        // The pictures show neither focus nor hover.
        await page.mouse.move(0, viewports[size].height - 1)
        await settled(frame)
        await page.waitForTimeout(SETTLING)
        await shootWebp(page, `${folder}galeria/${fileName(name)}-${at + 1}-${size}-${colorScheme}.webp`)
      }
    }
    await visitor.close()
  }
}

const fileName = (name: string) =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-')

/** WebP has a third of the size of PNG. */
async function shootWebp(page: Page, path: string) {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 84 })
  await session.detach()
  await writeFile(path, Buffer.from(data, 'base64'))
}
