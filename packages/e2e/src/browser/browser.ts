import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { findTestBrowser } from '../../../../scripts/machines/find-tools.ts'

/**
 * Chromium uses only the last --disable-features flag, so this repeats Playwright's own list (1.65)
 * and adds three: the address bar's suggestions are hidden web pages that slow down each navigation,
 * and the spare renderer is a process that most pages never use.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

const flags = [
  `--disable-features=${disabledFeatures.join()}`,
  // Chromium's sandbox refuses to run as root, which CI and containers do.
  '--no-sandbox',
  '--disable-gpu',
  // Containers give /dev/shm 64 MB; a page with large charts crashes with that.
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the installed Chromium, headless. `args` are appended to the default flags. */
export async function launchBrowser(args: string[] = [], executablePath = chromiumPath()): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...flags, ...args] })
}

/** A host that the client accepts as Microsoft's; the shared browser resolves it to localhost. */
export const microsoftLikeHost = 'local-bi.powerbi.com'

let shared: Promise<Browser> | undefined

/**
 * Returns the browser shared by the journeys of a process, which each close their contexts:
 * starting one takes as long as some journeys. It ends with the process.
 */
export async function joinBrowser(): Promise<Browser> {
  shared ??= launchBrowser([`--host-resolver-rules=MAP ${microsoftLikeHost} 127.0.0.1`])
  return shared
}

/** Returns all pages of the shared browser. */
export async function openPages(): Promise<Page[]> {
  return (await shared)?.contexts().flatMap((context) => context.pages()) ?? []
}

/** Closes all contexts at the end of a journey, including those left by a failure. */
export async function leaveBrowser(): Promise<void> {
  await Promise.all(((await shared)?.contexts() ?? []).map((context) => context.close()))
}

/** Starts a browser with a profile on disk, caches included. */
export async function launchWithProfile(
  folder: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const executablePath = chromiumPath()
  return chromium.launchPersistentContext(folder, { executablePath, headless: true, args: flags, ...options })
}

export function chromiumPath(): string {
  const path = findTestBrowser()
  if (!path) throw new Error('Chromium was not found: run `npm run tools`.')
  return path
}
