import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, CDPSession } from 'playwright-core'
import { PORTAL_ZONE } from '../definitions/time-zone.ts'
import { NoSandboxError, startChromium } from './chromium-process.ts'
import { CHROMIUM_SWITCHES, findSandboxOffSwitch } from './chromium-switches.ts'

export type ExportBrowser = ReturnType<typeof createExportBrowser>

type Options = {
  executable: string
  /** Limit for all of its processes; shared memory is counted once at most. */
  memoryMegabytes: number
  /** Idle time in ms before the browser is ended. */
  idleMs?: number
  /** Time in ms to close a context, or the browser, before it is killed. */
  graceMs?: number
  log: { warn(about: object, message: string): void }
}

/**
 * Returns the shared Chromium for exports: started on demand, ended
 * when idle, killed when it exceeds its memory limit or hangs. It has
 * no network access: the opener of a context answers its requests.
 */
export const createExportBrowser = (options: Options) => {
  const { executable, memoryMegabytes, idleMs = 60_000, graceMs = 5000, log } = options
  type Running = Awaited<ReturnType<typeof start>>
  let running: Promise<Running> | undefined
  let users = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  async function start() {
    const { chromium } = await import('playwright-core')
    const { child, transport, ended } = await startChromium(executable, CHROMIUM_SWITCHES)
    // Playwright notices the kill only after a moment.
    let isKilled = false
    const kill = () => {
      isKilled = true
      // Its child processes end with it. No effect if it has already ended.
      child.kill('SIGKILL')
    }
    const late = AbortSignal.timeout(30_000)
    try {
      const connecting = chromium.connectOverCDP(transport, { timeout: 30_000 })
      const browser = await Promise.race([connecting, ended])
      const session = await Promise.race([sessionOf(browser), ended, aborted(late)])
      void watchMemory(browser, session, kill).catch(() => undefined)
      // Ends it regularly: Playwright only disconnects from a browser that it has not started.
      const close = async () => {
        await browser.close()
        child.kill('SIGTERM')
        await ended.catch(() => undefined)
      }
      const isAlive = () => child.exitCode === null && child.signalCode === null
      return { browser, close, kill, isAlive, isUsable: () => !isKilled && browser.isConnected() }
    } catch (error) {
      kill()
      // The process reports the reason of its end, its pipes only that they closed.
      throw await ended.catch((reason: unknown) => (reason instanceof NoSandboxError ? reason : error))
    }
  }

  /**
   * Opens a CDP session and checks, before any work, that process information is available.
   * @throws NoSandboxError when the command line turns the sandbox off
   */
  async function sessionOf(browser: Browser): Promise<CDPSession> {
    const session = await browser.newBrowserCDPSession()
    await session.send('SystemInfo.getProcessInfo')
    const { commandLine } = await session.send('SystemInfo.getInfo')
    const added = findSandboxOffSwitch(commandLine)
    if (added) {
      throw new NoSandboxError(`the sandbox of Chromium is turned off by ${added}, which ${executable} adds`)
    }
    return session
  }

  async function watchMemory(browser: Browser, session: CDPSession, kill: () => void) {
    while (browser.isConnected()) {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      const megabytes = await memoryOf(processInfo.map(({ id }) => id))
      if (megabytes > memoryMegabytes) {
        log.warn({ megabytes: Math.round(megabytes) }, 'the browser of exports took too much memory: killed')
        // SIGKILL, because a browser out of memory may not react to anything else.
        kill()
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 500).unref())
    }
  }

  /** Call after each await: the browser may have been closed in the meantime. */
  function mustBeOpen() {
    if (isClosed) throw new Error(STOPPING)
  }

  /** Returns the running browser, or starts one if there is none or it has died. */
  async function get(): Promise<Running> {
    const known = running
    const before = await known?.catch(() => undefined)
    // close() cannot see a browser that would start from now on.
    mustBeOpen()
    if (before?.isUsable()) return before
    // A concurrent caller may have started one already.
    if (running === known || !running) running = start()
    return running
  }

  /** Closes something, and kills the browser if that exceeds the grace period. */
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

  /** Runs work in a separate context, which is closed afterwards. */
  async function workIn<T>(signal: AbortSignal, work: (context: BrowserContext) => Promise<T>): Promise<T> {
    const found = await Promise.race([get(), aborted(signal)])
    mustBeOpen()
    // A hanging browser may create the context late: it is closed whenever it arrives.
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
    /** Runs work in a separate context. Ends soon after `signal` aborts, even if it hangs. */
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
  // Charts are bitmaps: twice the resolution of a screen keeps them sharp on paper.
  deviceScaleFactor: 2,
  locale: 'pt-BR',
  timezoneId: PORTAL_ZONE,
  colorScheme: 'light',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
  acceptDownloads: false,
} as const

/** Returns the processes' private memory in MB; 0 without /proc. */
const memoryOf = async (pids: number[]): Promise<number> => {
  const pages = await Promise.all(pids.map(ownPages))
  return (pages.reduce((sum, own) => sum + own, 0) * PAGE_BYTES) / 2 ** 20
}

const PAGE_BYTES = 4096

const ownPages = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  const [, resident = 0, shared = 0] = text.split(' ').map(Number)
  return Math.max(resident - shared, 0)
}
