import type { Browser, ElementHandle, Frame } from 'puppeteer-core'
import { type BrowserPage, findNamed } from './browser-page.ts'

/** Opens a page with its own cookies in a browser that puppeteer drives. */
export const openPuppeteerPage = async (browser: Browser): Promise<BrowserPage> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const reportFrame = async (): Promise<Frame> => {
    for (const frame of page.frames())
      if (frame.url().includes('/reportEmbed') && (await frame.$('table[data-visual]'))) return frame
    throw new Error('no report is shown')
  }
  return {
    goto: async (address) => void (await page.goto(address, { waitUntil: 'load' })),
    resize: (size) => page.setViewport(size),
    run: (work, ...args) => page.evaluate(work as never, ...(args as never)),
    runInReport: async (work, ...args) => (await reportFrame()).evaluate(work as never, ...(args as never)),
    press: async (css, name) => {
      const found = await page.waitForFunction(findNamed, {}, css, name)
      await (found as ElementHandle<Element>).click()
    },
    type: async (css, text) => {
      await page.waitForSelector(css)
      await page.type(css, text)
    },
    key: (name) => page.keyboard.press(name),
    screenshot: () => page.screenshot(),
    complaints,
    close: () => context.close(),
  }
}
