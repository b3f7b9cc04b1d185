import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createExportBrowser, type ExportBrowser } from './browser.ts'
import { findChromium } from './find-chromium.ts'

const executable = await findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
if (!executable) console.warn('PULADO: o navegador das exportações não foi provado, porque não há Chromium.')

const open: ExportBrowser[] = []
const browserWith = (options: { memoryMegabytes?: number; idleMs?: number; graceMs?: number } = {}) => {
  const log = { warn: vi.fn() }
  const browser = createExportBrowser({
    executable: executable ?? '',
    memoryMegabytes: 2048,
    log,
    ...options,
  })
  open.push(browser)
  return { browser, log }
}
const never = new AbortController().signal
afterEach(() => Promise.all(open.splice(0).map((browser) => browser.close())))

describe.skipIf(!executable)('the browser of exports', { timeout: 60_000 }, () => {
  it('starts on demand, ends when idle, and starts again', async () => {
    const { browser } = browserWith({ idleMs: 100 })
    expect(await browser.isRunning()).toBe(false)
    const title = () =>
      browser.use(never, async (context) => {
        const page = await context.newPage()
        await page.setContent('<title>um</title>')
        return page.title()
      })
    expect(await title()).toBe('um')
    await expect.poll(browser.isRunning).toBe(false)
    expect(await title()).toBe('um')
  })

  it('reaches no network, not even this machine by its name', async () => {
    let visits = 0
    const server = createServer((_request, response) => {
      visits += 1
      response.end('<title>fora</title>')
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const { port } = server.address() as AddressInfo
    const { browser } = browserWith()
    await browser.use(never, async (context) => {
      const page = await context.newPage()
      for (const host of ['localhost', '127.0.0.1', 'example.org']) {
        await expect(page.goto(`http://${host}:${port}/`, { timeout: 5000 })).rejects.toThrow(/net::ERR_/)
      }
    })
    server.close()
    expect(visits).toBe(0)
  })

  it('is killed when it takes more memory than it may, and the next work gets a new one', async () => {
    const { browser, log } = browserWith({ memoryMegabytes: 400 })
    const greedy = browser.use(never, async (context) => {
      const page = await context.newPage()
      await page.evaluate(() => {
        const hoard: Uint8Array[] = []
        const take = () => {
          hoard.push(new Uint8Array(64 * 2 ** 20).fill(1))
          setTimeout(take, 20)
        }
        take()
        return new Promise(() => undefined)
      })
    })
    await expect(greedy).rejects.toThrow()
    expect(log.warn).toHaveBeenCalledOnce()
    expect(await browser.use(never, async (context) => (await context.newPage()).evaluate(() => 1 + 1))).toBe(
      2,
    )
  })

  it.each([
    ['while it draws', async (context: BrowserContext) => void (await context.newPage()).title()],
    ['before it has a page', async () => undefined],
  ])('is killed when it hangs %s, and the next work gets a new one', async (_when, begin) => {
    const { browser, log } = browserWith({ graceMs: 200 })
    const told = new AbortController()
    const pids: number[] = []
    const hanging = browser.use(told.signal, async (context) => {
      await begin(context)
      pids.push(...(await processesOf(context)))
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      setTimeout(() => told.abort(new Error('demorou')), 100)
      const page = await context.newPage()
      return page.title()
    })
    await expect(hanging).rejects.toThrow('demorou')
    expect(log.warn.mock.calls).toEqual([[{ graceMs: 200 }, expect.stringContaining('did not answer')]])
    expect(await browser.use(never, async (context) => (await context.newPage()).evaluate(() => 1 + 1))).toBe(
      2,
    )
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  it('is killed when it hangs while it is closed', async () => {
    const { browser } = browserWith({ graceMs: 200 })
    await browser.use(never, async (context) => {
      for (const pid of await processesOf(context)) process.kill(pid, 'SIGSTOP')
    })
    await browser.close()
    expect(await browser.isRunning()).toBe(false)
  })

  it('gives work up when it is told to, and takes none once it is closed', async () => {
    const { browser } = browserWith()
    const signal = AbortSignal.timeout(1500)
    const endless = browser.use(signal, async (context) => {
      const page = await context.newPage()
      await page.evaluate(() => new Promise(() => undefined))
    })
    await expect(endless).rejects.toThrow(/timeout/i)
    await browser.close()
    expect(await browser.isRunning()).toBe(false)
    await expect(browser.use(never, async () => 1)).rejects.toThrow(/stopping/)
  })
})

/** The browser itself first. */
async function processesOf(context: BrowserContext): Promise<number[]> {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
  return processInfo.filter(({ type }) => type === 'browser').map(({ id }) => id)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
