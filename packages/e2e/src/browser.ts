import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { findChromium } from '../../../scripts/tools.ts'

/**
 * Of several such flags Chromium takes the last, so that these are Playwright's own (1.65), and two of ours: the address bar's
 * suggestions are web pages of the browser's own, which follow each navigation and take as much time as the portal, unseen.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
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
  // Chromium's own sandbox refuses to run as root, which is how CI and fresh containers run.
  '--no-sandbox',
  '--disable-gpu',
  // Containers give /dev/shm 64 MB, on which a page with large charts crashes.
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the machine's own Chromium, headless. `args` are added to the house's flags. */
export async function launchBrowser(args: string[] = [], executablePath = chromiumPath()): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...flags, ...args] })
}

/** Looks like one of Microsoft's hosts to the unmodified client; the browser that journeys share takes this machine for it. */
export const microsoftLikeHost = 'local-bi.powerbi.com'

let shared: Promise<Browser> | undefined

/**
 * The one that the journeys of a process have in common, with the contexts of each gone before the next comes: to start one
 * takes as long as some of the journeys. It ends with the process.
 */
export async function joinBrowser(): Promise<Browser> {
  shared ??= launchBrowser([`--host-resolver-rules=MAP ${microsoftLikeHost} 127.0.0.1`])
  return shared
}

/** Of the browser that journeys share. */
export async function openPages(): Promise<Page[]> {
  return (await shared)?.contexts().flatMap((context) => context.pages()) ?? []
}

/** At the end of a journey, also of one that failed before it had closed what it opened. */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
}

/** The same with a profile that stays on the disk, caches and all, as a person's own browser has it. */
export async function launchWithProfile(
  folder: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const executablePath = chromiumPath()
  return chromium.launchPersistentContext(folder, { executablePath, headless: true, args: flags, ...options })
}

function chromiumPath(): string {
  const path = findChromium()
  if (!path) throw new Error('Chromium was not found: run `npm run tools`.')
  return path
}
