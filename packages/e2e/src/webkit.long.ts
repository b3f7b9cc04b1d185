import { describeBrowser } from './other-browsers/compare-tests.ts'
import { hasWebKit, launchWebKit } from './other-browsers/webkit.ts'

describeBrowser('WebKit (skipped without Debian’s packages webkit2gtk-driver and xvfb)', {
  isInstalled: hasWebKit,
  name: 'webkit',
  launch: launchWebKit,
})
