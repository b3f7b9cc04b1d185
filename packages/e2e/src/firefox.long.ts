import { describeBrowser } from './other-browsers/compare-tests.ts'
import { firefoxPath, launchFirefox } from './other-browsers/launch-browsers.ts'
import { startFirefoxPrinter } from './other-browsers/print-firefox.ts'
import { describePrinting } from './other-browsers/print-tests.ts'
import { hasPoppler } from './other-browsers/printed-pdf.ts'
import { openPuppeteerPage } from './other-browsers/puppeteer-page.ts'

describeBrowser('Firefox (skipped without Debian’s package firefox-esr)', {
  isInstalled: firefoxPath !== undefined,
  name: 'firefox',
  launch: async () => {
    const browser = await launchFirefox()
    return { openPage: () => openPuppeteerPage(browser), close: () => browser.close() }
  },
})

describePrinting('Printing in Firefox (skipped without Debian’s packages firefox-esr and poppler-utils)', {
  canPrint: firefoxPath !== undefined && hasPoppler,
  name: 'firefox',
  start: startFirefoxPrinter,
})
