import type { Frame, Page } from 'playwright-core'
import { press } from './back-office.ts'

/* What journeys do on the pages that publish data files. */

/** Counts the person's clicks in the portal's pages. */
export const countClicks = async (page: Page, event: 'click' | 'mousedown' = 'click') => {
  const clicks = { count: 0 }
  const count = () => {
    clicks.count += 1
  }
  await page.exposeFunction('clicked', count)
  await page.addInitScript((counted) => {
    const { clicked } = window as unknown as { clicked: () => void }
    document.addEventListener(counted, ({ isTrusted }) => isTrusted && clicked(), { capture: true })
  }, event)
  return clicks
}

/** Chooses a file, also of several that a page takes. */
export const upload = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  uploadAll(page, { [name]: buffer })

export const uploadAll = async (page: Page, files: Record<string, Buffer>): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await press(page, /^Escolher (outros? )?arquivos?$/)
  const sent = Object.entries(files).map(([name, buffer]) => ({
    name,
    buffer,
    mimeType: 'application/octet-stream',
  }))
  await (await chooser).setFiles(sent)
}

/** Waits until the draft's report is drawn, and returns its frame. */
export const waitForPreview = async (page: Page): Promise<Frame> => {
  await page.locator('[data-preview="renderizado"]').waitFor({ timeout: 40_000 })
  const frame = page.frames().find((candidate) => candidate.url().includes('/reportEmbed'))
  if (!frame) throw new Error('the preview has no frame')
  return frame
}
