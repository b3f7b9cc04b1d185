import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext } from 'playwright-core'

export type ExportBrowser = ReturnType<typeof createExportBrowser>

type Options = {
  executable: string
  /** Of all its processes together, what they share counted once at most. */
  memoryMegabytes: number
  /** How long it is kept without work. */
  idleMs?: number
  log: { warn(about: object, message: string): void }
}

/**
 * One Chromium for all exports: started when one is due, ended when none came for a while, killed when it takes too much
 * memory. It reaches no network at all: what its pages ask for is answered by whoever opens a context.
 */
export function createExportBrowser({ executable, memoryMegabytes, idleMs = 60_000, log }: Options) {
  let running: Promise<Browser> | undefined
  let users = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  async function start(): Promise<Browser> {
    const { chromium } = await import('playwright-core')
    const browser = await chromium.launch({
      executablePath: executable,
      headless: true,
      args: ARGUMENTS,
      // Chromium's own sandbox refuses to run as root.
      chromiumSandbox: process.getuid?.() !== 0,
      // The service ends it itself, once what is under way is done.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 30_000,
    })
    void watchMemory(browser).catch(() => undefined)
    return browser
  }

  async function watchMemory(browser: Browser) {
    const session = await browser.newBrowserCDPSession()
    while (browser.isConnected()) {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      const megabytes = await memoryOf(processInfo.map(({ id }) => id))
      if (megabytes > memoryMegabytes) {
        log.warn({ megabytes: Math.round(megabytes) }, 'the browser of exports took too much memory: killed')
        // Asked politely, a browser out of breath may take its time; its other processes end with this one.
        const main = processInfo.find(({ type }) => type === 'browser')
        if (main) process.kill(main.id, 'SIGKILL')
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 500).unref())
    }
  }

  /** The one that runs, or a new one where it has died or none was started. */
  async function get(): Promise<Browser> {
    const before = await running?.catch(() => undefined)
    if (before?.isConnected()) return before
    running = start()
    return running
  }

  async function end() {
    clearTimeout(idle)
    const ending = running
    running = undefined
    const browser = await ending?.catch(() => undefined)
    await browser?.close().catch(() => undefined)
  }

  return {
    /** Work in a context of its own, which is gone afterwards, also when `signal` gives the work up. */
    async use<T>(signal: AbortSignal, work: (context: BrowserContext) => Promise<T>): Promise<T> {
      if (isClosed) throw new Error('the service is stopping')
      clearTimeout(idle)
      users += 1
      try {
        const browser = await get()
        signal.throwIfAborted()
        const context = await browser.newContext(CONTEXT)
        const giveUp = () => void context.close().catch(() => undefined)
        signal.addEventListener('abort', giveUp)
        try {
          return await work(context)
        } catch (error) {
          signal.throwIfAborted()
          throw error
        } finally {
          signal.removeEventListener('abort', giveUp)
          await context.close().catch(() => undefined)
        }
      } finally {
        users -= 1
        if (users === 0 && !isClosed) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    isRunning: async () => (await running?.catch(() => undefined))?.isConnected() ?? false,
    async close() {
      isClosed = true
      await end()
    },
  }
}

const ARGUMENTS = [
  '--disable-gpu',
  // Containers give /dev/shm 64 MB, on which a page with large charts crashes.
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-proxy-server',
  // No name and no address is reached, whatever a page asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--js-flags=--max-old-space-size=512',
]

const CONTEXT = {
  viewport: { width: 1280, height: 720 },
  // Charts are pictures: twice as fine as a screen, so that paper shows them sharp.
  deviceScaleFactor: 2,
  locale: 'pt-BR',
  timezoneId: 'America/Sao_Paulo',
  colorScheme: 'light',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
  acceptDownloads: false,
} as const

/** Megabytes that processes have for themselves; 0 where the system does not tell (no /proc). */
async function memoryOf(pids: number[]): Promise<number> {
  const pages = await Promise.all(pids.map(ownPages))
  return (pages.reduce((sum, own) => sum + own, 0) * PAGE_BYTES) / 2 ** 20
}

const PAGE_BYTES = 4096

async function ownPages(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  const [, resident = 0, shared = 0] = text.split(' ').map(Number)
  return Math.max(resident - shared, 0)
}
