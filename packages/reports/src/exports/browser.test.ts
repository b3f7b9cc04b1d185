import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createExportBrowser, type ExportBrowser } from './browser.ts'
import { NoSandboxError } from './chromium-process.ts'
import { findChromium } from './find-chromium.ts'

const executable = await findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
if (!executable) console.warn('PULADO: o navegador das exportações não foi provado, porque não há Chromium.')

const open: ExportBrowser[] = []
const browserWith = (
  options: { executable?: string; memoryMegabytes?: number; idleMs?: number; graceMs?: number } = {},
) => {
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

describe.skipIf(!executable)('the export browser', { timeout: 240_000 }, () => {
  test('the export browser starts on demand, ends when idle, and starts again', async () => {
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

  test('the export browser has no network access, not even to this machine by name', async () => {
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
        await expect(page.goto(`http://${host}:${port}/`, { timeout: 60_000 })).rejects.toThrow(/net::ERR_/)
      }
    })
    server.close()
    expect(visits).toBe(0)
  })

  test('the export browser is killed when it exceeds its memory limit, and the next export gets a new one', async () => {
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
        // A promise that nothing can resolve might be garbage-collected, which fails the call.
        return new Promise((resolve) => Object.assign(globalThis, { resolve }))
      })
    })
    await expect(greedy).rejects.toThrow()
    expect(log.warn).toHaveBeenCalledOnce()
    expect(await browser.use(never, async (context) => (await context.newPage()).evaluate(() => 1 + 1))).toBe(
      2,
    )
  })

  test.each([
    ['while it renders', async (context: BrowserContext) => void (await context.newPage()).title()],
    ['before it has a page', async () => undefined],
  ])(
    'the export browser is killed when it hangs %s, and the next export gets a new one',
    async (_when, begin) => {
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
      expect(
        await browser.use(never, async (context) => (await context.newPage()).evaluate(() => 1 + 1)),
      ).toBe(2)
      await expect.poll(() => pids.filter(isAlive)).toEqual([])
    },
  )

  test('the export browser is killed when it hangs during close', async () => {
    const { browser } = browserWith({ graceMs: 200 })
    await browser.use(never, async (context) => {
      for (const pid of await processesOf(context)) process.kill(pid, 'SIGSTOP')
    })
    await browser.close()
    expect(await browser.isRunning()).toBe(false)
  })

  test('the export browser aborts work on its signal, and accepts none after close', async () => {
    const { browser } = browserWith()
    const signal = AbortSignal.timeout(1500)
    const endless = browser.use(signal, async (context) => {
      const page = await context.newPage()
      await page.evaluate(() => new Promise((resolve) => Object.assign(globalThis, { resolve })))
    })
    await expect(endless).rejects.toThrow(/timeout/i)
    await browser.close()
    expect(await browser.isRunning()).toBe(false)
    await expect(browser.use(never, async () => 1)).rejects.toThrow(/stopping/)
  })
})

/** Returns /proc status of the browser and renderer processes. */
const renderersOf = async (browser: ExportBrowser): Promise<string[]> => {
  return browser.use(never, async (context) => {
    const page = await context.newPage()
    await page.setContent('<title>um</title>')
    const session = await context.browser()?.newBrowserCDPSession()
    const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
    const all = await Promise.all(
      processInfo.map(async ({ type, id }) => `${type} ${await readFile(`/proc/${id}/status`, 'utf8')}`),
    )
    return all.filter((status) => /^(browser|renderer) /.test(status))
  })
}

const hasNamespaces = spawnSync('unshare', ['-U', 'true']).status === 0

describe.skipIf(!executable || process.platform !== 'linux')(
  "the export browser's sandbox",
  { timeout: 60_000 },
  () => {
    test("the export browser's sandbox is on, and the browser runs neither as root nor in root's groups", async () => {
      const { browser } = browserWith()
      const processes = await renderersOf(browser)
      expect(processes.length).toBeGreaterThan(1)
      const user = process.getuid?.() === 0 ? 65_534 : process.getuid?.()
      for (const status of processes) {
        expect(status).toMatch(new RegExp(`^Uid:(\\t${user}){4}$`, 'm'))
        if (process.getuid?.() === 0) expect(status).toMatch(/^Groups:\s*$/m)
        if (status.startsWith('renderer')) {
          // Seccomp filter mode, and a separate PID namespace.
          expect(status).toMatch(/^Seccomp:\t2$/m)
          expect(status).toMatch(/^NSpid:\t\d+\t\d+/m)
        }
      }
    })

    test.skipIf(!hasNamespaces)(
      "the export browser's sandbox is required: without user namespaces the export fails and says so",
      async () => {
        const dir = await mkdtemp(join(tmpdir(), 'chromium-'))
        onTestFinished(() => rm(dir, { recursive: true }))
        await chmod(dir, 0o755)
        const script = join(dir, 'chromium')
        // A user namespace that forbids further ones, like some containers.
        const off = 'echo 0 > /proc/sys/user/max_user_namespaces'
        const inside = `${off} && exec ${executable} "$@"`
        await writeFile(
          script,
          `#!/bin/sh\nexec unshare -U --map-current-user --keep-caps sh -c '${inside}' sh "$@"\n`,
        )
        await chmod(script, 0o755)
        const { browser } = browserWith({ executable: script })
        const work = vi.fn(async () => 1)
        const refused = browser.use(never, work)
        await expect(refused).rejects.toThrow(NoSandboxError)
        await expect(refused).rejects.toThrow('user namespaces are off')
        expect(work).not.toHaveBeenCalled()
      },
    )

    // Which line Chromium prints depends on whether the package chromium-sandbox is installed.
    test.each([
      '[7:7:ERROR:zygote_host_impl_linux.cc:130] No usable sandbox! If this is a Debian system, please install',
      '[7:7:FATAL:setuid_sandbox_host.cc:172] The SUID sandbox helper binary was found, but is not configured correctly.',
    ])("the export browser's sandbox refuses to export when Chromium prints: %s", async (line) => {
      const dir = await mkdtemp(join(tmpdir(), 'chromium-'))
      onTestFinished(() => rm(dir, { recursive: true }))
      await chmod(dir, 0o755)
      const script = join(dir, 'chromium')
      await writeFile(script, `#!/bin/sh\necho '${line}' >&2\nexit 1\n`)
      await chmod(script, 0o755)
      const { browser } = browserWith({ executable: script })
      await expect(browser.use(never, async () => 1)).rejects.toThrow(NoSandboxError)
    })

    test.skipIf(process.getuid?.() !== 0)(
      "the export browser's sandbox is required: the export fails when no user without root may run the browser",
      async () => {
        const dir = await mkdtemp(join(tmpdir(), 'chromium-'))
        onTestFinished(() => rm(dir, { recursive: true }))
        const script = join(dir, 'chromium')
        await writeFile(script, `#!/bin/sh\nexec ${executable} "$@"\n`)
        await chmod(script, 0o755)
        const { browser } = browserWith({ executable: script })
        await expect(browser.use(never, async () => 1)).rejects.toThrow(NoSandboxError)
      },
    )

    test("the export browser's sandbox removes its profile on close", async () => {
      // Its own folder: tests that run at the same time start browsers too.
      const dir = await mkdtemp(join(tmpdir(), 'profiles-'))
      onTestFinished(() => rm(dir, { recursive: true }))
      await chmod(dir, 0o755)
      vi.stubEnv('TMPDIR', dir)
      onTestFinished(() => void vi.unstubAllEnvs())
      const profiles = async () =>
        (await readdir(dir)).filter((name) => name.startsWith('bi-manager-chromium-'))
      const { browser } = browserWith()
      await renderersOf(browser)
      expect(await profiles()).toHaveLength(1)
      await browser.close()
      await expect.poll(profiles).toEqual([])
    })
  },
)

describe.skipIf(!executable)('the export browser leaves no process', { timeout: 60_000 }, () => {
  /** Wraps Chromium in a script that records each start; with `isHeld` it waits until `letGo`. */
  async function noted({ isHeld = false } = {}) {
    const dir = await mkdtemp(join(tmpdir(), 'chromium-'))
    // When the tests run as root, the browser runs as the user 'nobody', who reads this folder.
    await chmod(dir, 0o755)
    const script = join(dir, 'chromium')
    const pids = join(dir, 'pids')
    await writeFile(pids, '')
    await chmod(pids, 0o666)
    const door = join(dir, 'door')
    const letGo = () => writeFile(door, '')
    if (!isHeld) await letGo()
    const wait = `while [ ! -e ${door} ]; do sleep 0.02; done`
    await writeFile(script, `#!/bin/sh\necho $$ >> ${pids}\n${wait}\nexec ${executable} "$@"\n`)
    await chmod(script, 0o755)
    onTestFinished(() => rm(dir, { recursive: true }))
    const started = async () => (await readFile(pids, 'utf8')).split('\n').filter(Boolean).map(Number)
    return { script, started, letGo }
  }
  const of = (script: string, graceMs = 5000) =>
    createExportBrowser({ executable: script, memoryMegabytes: 2048, graceMs, log: { warn: vi.fn() } })

  test('the export browser leaves no process after close at the same moment', async () => {
    const { script, started } = await noted()
    const browser = of(script)
    const work = vi.fn(async () => 1)
    const used = browser.use(never, work).catch((error: Error) => error.message)
    await browser.close()
    expect(await used).toBe('the service is stopping')
    expect(work).not.toHaveBeenCalled()
    expect(await started()).toEqual([])
    expect(await browser.isRunning()).toBe(false)
  })

  test('the export browser leaves no process after close during its start', async () => {
    const { script, started, letGo } = await noted({ isHeld: true })
    const browser = of(script)
    const work = vi.fn(async () => 1)
    const used = browser.use(never, work).catch((error: Error) => error.message)
    await vi.waitUntil(async () => (await started()).length)
    const closing = browser.close()
    await letGo()
    await closing
    expect(await used).toBe('the service is stopping')
    expect(work).not.toHaveBeenCalled()
    expect((await started()).filter(isAlive)).toEqual([])
    expect(await browser.isRunning()).toBe(false)
  })

  test('the export browser leaves no process after close while a context opens', async () => {
    const { script, started } = await noted()
    const browser = of(script)
    const work = vi.fn(async () => 1)
    onceConnected((found) => {
      const newContext = found.newContext.bind(found)
      found.newContext = async (settings) => {
        const context = await newContext(settings)
        closing = browser.close()
        return context
      }
    })
    let closing: Promise<void> | undefined
    const used = browser.use(never, work).catch((error: Error) => error.message)
    expect(await used).toBe('the service is stopping')
    await closing
    expect(work).not.toHaveBeenCalled()
    expect((await started()).filter(isAlive)).toEqual([])
  })

  test('the export browser leaves no process after close while a dead predecessor is detected', async () => {
    const { script, started } = await noted()
    const browser = of(script)
    await browser.use(never, async (context) => {
      for (const pid of await processesOf(context)) process.kill(pid, 'SIGKILL')
    })
    const used = browser.use(never, async () => 1).catch((error: Error) => error.message)
    await Promise.resolve()
    await browser.close()
    expect(await used).toMatch(/stopping|closed/)
    // The killed process is gone once the system has reaped it.
    await vi.waitUntil(async () => (await started()).filter(isAlive).length === 0, 10_000)
  })

  test('the export browser leaves no process after two concurrent uses, which share one', async () => {
    const { script, started } = await noted()
    const browser = of(script)
    expect(await Promise.all([1, 2].map((one) => browser.use(never, async () => one)))).toEqual([1, 2])
    expect(await started()).toHaveLength(1)
    await browser.close()
    expect((await started()).filter(isAlive)).toEqual([])
  })

  test('the export browser leaves no process after a start that does not respond', async () => {
    const { script, started } = await noted()
    const browser = of(script, 200)
    onceConnected((found) => {
      // The process is stopped, so it reacts to nothing.
      found.newBrowserCDPSession = async () => {
        for (const pid of await started()) process.kill(pid, 'SIGSTOP')
        throw new Error('calado')
      }
    })
    await expect(browser.use(never, async () => 1)).rejects.toThrow('calado')
    await vi.waitUntil(async () => (await started()).filter(isAlive).length === 0, 10_000)
    await browser.close()
  })

  test('the export browser leaves no process when the killed process is already gone', async () => {
    const { script } = await noted()
    const browser = of(script, 200)
    const told = new AbortController()
    const kill = process.kill
    const late = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      kill(pid, signal)
      // The process ends between the check and the kill.
      if (signal === 'SIGKILL') throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' })
      return true
    })
    onTestFinished(() => late.mockRestore())
    const hanging = browser.use(told.signal, async (context) => {
      for (const pid of await processesOf(context)) process.kill(pid, 'SIGSTOP')
      told.abort(new Error('demorou'))
      return (await context.newPage()).title()
    })
    await expect(hanging).rejects.toThrow('demorou')
    await browser.close()
  })
})

/** Changes the next browser that Playwright connects to. */
const onceConnected = (change: (browser: Browser) => void) => {
  const connect = chromium.connectOverCDP.bind(chromium)
  const spy = vi.spyOn(chromium, 'connectOverCDP').mockImplementationOnce(async (...given) => {
    const found = await connect(...given)
    change(found)
    return found
  })
  onTestFinished(() => spy.mockRestore())
}

/** Returns the pid of the browser process. */
const processesOf = async (context: BrowserContext): Promise<number[]> => {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
  return processInfo.filter(({ type }) => type === 'browser').map(({ id }) => id)
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
