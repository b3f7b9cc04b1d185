import { describeBrowser } from './other-browsers/compare-tests.ts'
import { firefoxPath, launchFirefox } from './other-browsers/launch-browsers.ts'
import { openPuppeteerPage } from './other-browsers/puppeteer-page.ts'

describeBrowser('Firefox (skipped without Debian’s package firefox-esr)', {
  isInstalled: firefoxPath !== undefined,
  name: 'firefox',
  launch: async () => {
    const browser = await launchFirefox()
    return { openPage: () => openPuppeteerPage(browser), close: () => browser.close() }
  },
})
