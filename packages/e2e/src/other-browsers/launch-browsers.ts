import { existsSync } from 'node:fs'
import { type Browser, launch } from 'puppeteer-core'
import { chromiumPath } from '../browser/browser.ts'

/* Browsers by puppeteer-core, which drives Firefox and Chromium with the same calls (ADR 0068). */

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
/** The path of Firefox; undefined where it is not installed (Debian's package firefox-esr). */
export const firefoxPath: string | undefined = PLACES.find((path) => existsSync(path))

export const launchFirefox = (preferences: Record<string, unknown> = {}): Promise<Browser> =>
  launch({
    browser: 'firefox',
    executablePath: firefoxPath ?? '',
    extraPrefsFirefox: {
      'intl.accept_languages': 'pt-BR',
      'ui.prefersReducedMotion': 1,
      // As on phones; without a screen, Firefox draws the others as white strips.
      'ui.useOverlayScrollbars': 1,
      ...preferences,
    },
    // The tests run as root too.
    env: { ...process.env, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
  })

export const launchChromium = (): Promise<Browser> =>
  launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--lang=pt-BR', '--force-prefers-reduced-motion', '--hide-scrollbars'],
  })
