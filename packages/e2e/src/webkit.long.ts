import { describeBrowser } from './other-browsers/compare-tests.ts'
import { describePrinting } from './other-browsers/print-tests.ts'
import { canPrintInWebKit, startWebKitPrinter } from './other-browsers/print-webkit.ts'
import { hasPoppler } from './other-browsers/printed-pdf.ts'
import { hasWebKit, launchWebKit } from './other-browsers/webkit.ts'

describeBrowser('WebKit (skipped without Debian’s packages webkit2gtk-driver and xvfb)', {
  isInstalled: hasWebKit,
  name: 'webkit',
  launch: launchWebKit,
})

describePrinting(
  'Printing in WebKit (skipped without Debian’s packages xvfb, python3-gi, gir1.2-webkit2-4.1, poppler-utils)',
  { canPrint: canPrintInWebKit && hasPoppler, name: 'webkit', start: startWebKitPrinter },
)
