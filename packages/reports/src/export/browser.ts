import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, CDPSession } from 'playwright-core'
import { NoSandbox, startChromium } from './chromium-process.ts'
import { SWITCHES, switchAgainstSandbox } from './chromium-switches.ts'

export type ExportBrowser = ReturnType<typeof createExportBrowser>

type Options = {
  executable: string
  /** Of all its processes together, what they share counted once at most. */
  memoryMegabytes: number
  /** How long it is kept without work. */
  idleMs?: number
  /** How long it may take to end what was given up, or itself, before it is killed. */
  graceMs?: number
  log: { warn(about: object, message: string): void }
}

type Running = {
  browser: Browser
  /** Ends it in good order. */
  close: () => Promise<void>
  kill: () => void
  isUsable: () => boolean
  isAlive: () => boolean
}

/**
 * One Chromium for all exports: started when one is due, ended when none came for a while, killed when it takes too much
 * memory or answers no more. It reaches no network at all: what its pages ask for is answered by whoever opens a context.
 */
export function createExportBrowser(options: Options) {
  const { executable, memoryMegabytes, idleMs = 60_000, graceMs = 5000, log } = options
  let running: Promise<Running> | undefined
  let users = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  async function start(): Promise<Running> {
    const { chromium } = await import('playwright-core')
    const { child, transport, ended } = await startChromium(executable, SWITCHES)
    // A moment passes until Playwright hears of it.
    let isKilled = false
    const kill = () => {
      isKilled = true
      // Its other processes end with this one. Where it has ended already, nothing happens.
      child.kill('SIGKILL')
    }
    const late = AbortSignal.timeout(30_000)
    try {
      const connecting = chromium.connectOverCDP(transport, { timeout: 30_000 })
      const browser = await Promise.race([connecting, ended])
      const session = await Promise.race([sessionOf(browser), ended, aborted(late)])
      void watchMemory(browser, session, kill).catch(() => undefined)
      // Playwright only lets go of a browser that it has not started.
      const close = async () => {
        await browser.close()
        child.kill('SIGTERM')
        await ended.catch(() => undefined)
      }
      const isAlive = () => child.exitCode === null && child.signalCode === null
      return { browser, close, kill, isAlive, isUsable: () => !isKilled && browser.isConnected() }
    } catch (error) {
      kill()
      // It says itself why it ended, and its pipes only that they did.
      throw await ended.catch((reason: unknown) => (reason instanceof NoSandbox ? reason : error))
    }
  }

  /**
   * That it does not tell its processes is seen before it has work, not after.
   * @throws NoSandbox
   */
  async function sessionOf(browser: Browser): Promise<CDPSession> {
    const session = await browser.newBrowserCDPSession()
    await session.send('SystemInfo.getProcessInfo')
    const { commandLine } = await session.send('SystemInfo.getInfo')
    const added = switchAgainstSandbox(commandLine)
    if (added) {
      throw new NoSandbox(`the sandbox of Chromium is turned off by ${added}, which ${executable} adds`)
    }
    return session
  }

  async function watchMemory(browser: Browser, session: CDPSession, kill: () => void) {
    while (browser.isConnected()) {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      const megabytes = await memoryOf(processInfo.map(({ id }) => id))
      if (megabytes > memoryMegabytes) {
        log.warn({ megabytes: Math.round(megabytes) }, 'the browser of exports took too much memory: killed')
        // Asked politely, a browser out of breath may take its time.
        kill()
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 500).unref())
    }
  }

  /** Asked after each wait: it may have been closed meanwhile, and nothing begins any more. */
  function mustBeOpen() {
    if (isClosed) throw new Error(STOPPING)
  }

  /** The one that runs, or a new one where it has died or none was started. */
  async function get(): Promise<Running> {
    const known = running
    const before = await known?.catch(() => undefined)
    // Whoever closes has not seen the one that would start now.
    mustBeOpen()
    if (before?.isUsable()) return before
    // Somebody else may have started one meanwhile.
    if (running === known || !running) running = start()
    return running
  }

  /** Asks it to close something, and kills it when it does not in time: nothing is waited for any longer. */
  async function orKill({ isAlive, kill }: Running, close: () => Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<true>((resolve) => {
      timer = setTimeout(resolve, graceMs, true)
    })
    const isLate = await Promise.race([late, close().catch(() => undefined)])
    clearTimeout(timer)
    if (!isLate || !isAlive()) return
    log.warn({ graceMs }, 'the browser of exports did not answer any more: killed')
    kill()
  }

  async function end() {
    clearTimeout(idle)
    const ending = running
    running = undefined
    const found = await ending?.catch(() => undefined)
    if (found) await orKill(found, found.close)
  }

  /** In a context of its own, which is gone afterwards. */
  async function workIn<T>(signal: AbortSignal, work: (context: BrowserContext) => Promise<T>): Promise<T> {
    const found = await Promise.race([get(), aborted(signal)])
    mustBeOpen()
    // A browser that hangs may keep the context for ever: it is closed when it comes, whoever still waits.
    const opening = found.browser.newContext(CONTEXT)
    const close = () => orKill(found, () => opening.then((context) => context.close()))
    const drawing = opening.then((context) => {
      mustBeOpen()
      return work(context)
    })
    drawing.catch(() => undefined)
    try {
      return await Promise.race([drawing, aborted(signal)])
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      await close()
    }
  }

  return {
    /** Work in a context of its own. It ends soon after `signal` aborts, whatever the browser does. */
    async use<T>(signal: AbortSignal, work: (context: BrowserContext) => Promise<T>): Promise<T> {
      mustBeOpen()
      clearTimeout(idle)
      users += 1
      try {
        return await workIn(signal, work)
      } finally {
        users -= 1
        if (users === 0 && !isClosed) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    isRunning: async () => (await running?.catch(() => undefined))?.isUsable() ?? false,
    async close() {
      isClosed = true
      await end()
    },
  }
}

const STOPPING = 'the service is stopping'

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })

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
