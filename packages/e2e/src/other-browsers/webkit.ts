import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../../scripts/machines/ports.ts'
import { type BrowserPage, findNamed, until } from './browser-page.ts'

/* WebKitGTK over WebDriver: it has no BiDi. Debian's packages webkit2gtk-driver and xvfb. */

const DRIVER = '/usr/bin/WebKitWebDriver'
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const XVFB = '/usr/bin/Xvfb'
export const hasScreen = existsSync(XVFB)
export const hasWebKit = hasScreen && [DRIVER, MINI_BROWSER].every((path) => existsSync(path))

/** The key under which WebDriver names an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const keys = { Enter: '\uE007', Escape: '\uE00C' }

/** Starts a screen that only programs see. */
export const startScreen = async () => {
  const display = `:${90 + (process.pid % 900)}`
  const screen = spawn(XVFB, [display, '-screen', '0', '1700x1300x24', '-nolisten', 'tcp'], {
    stdio: 'ignore',
  })
  await sleep(500)
  return { display, close: () => ending(screen) }
}

/** Starts WebKitGTK on a screen of its own. */
export const launchWebKit = async () => {
  const screen = await startScreen()
  const port = await freePort()
  const driver = spawn(DRIVER, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen.display, LANGUAGE: 'pt_BR', LANG: 'pt_BR.UTF-8' },
  })
  const origin = `http://127.0.0.1:${port}`
  await untilReady(`${origin}/status`)
  return {
    openPage: () => openPage(origin),
    close: async () => {
      await ending(driver)
      await screen.close()
    },
  }
}

const ending = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

async function openPage(origin: string): Promise<BrowserPage> {
  const opened = await call(`${origin}/session`, {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] } },
    },
  })
  const session = `${origin}/session/${(opened as { sessionId: string }).sessionId}`
  await call(`${session}/timeouts`, { script: 30_000, pageLoad: 60_000 })
  const run: BrowserPage['run'] = async (work, ...args) => {
    const script = `const args = [...arguments]; const done = args.pop();
      Promise.resolve().then(() => (${work.toString()})(...args))
        .then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }))`
    const answer = await call(`${session}/execute/async`, { script, args })
    const { value, error } = answer as { value: never; error?: string }
    if (error !== undefined) throw new Error(error)
    return value
  }
  const find = async (css: string, name: string): Promise<string> => {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const found = (await run(findNamed, css, name).catch(() => null)) as Record<string, string> | null
      if (found?.[ELEMENT]) return found[ELEMENT]
      await sleep(100)
    }
    throw new Error(`there is no ${css} named ${name}`)
  }
  const screenshot = async () => {
    // Another process paints, some frames later.
    await sleep(1000)
    return Buffer.from(String(await call(`${session}/screenshot`)), 'base64')
  }
  return {
    goto: async (url) => {
      await run(() => void Object.assign(globalThis, { isLeft: true }))
      await call(`${session}/url`, { url })
      // The driver may answer while the document that is left is still there.
      await until(run, () => !('isLeft' in globalThis) && document.readyState === 'complete')
    },
    resize: async ({ width, height }) => {
      await call(`${session}/window/rect`, { x: 0, y: 0, width, height })
      await sleep(300)
      // The window has bars of its own.
      const inner = await run(() => ({ width: innerWidth, height: innerHeight }))
      const [wide, high] = [2 * width - inner.width, 2 * height - inner.height]
      await call(`${session}/window/rect`, { x: 0, y: 0, width: wide, height: high })
      await sleep(300)
    },
    run,
    runInReport: async (work, ...args) => {
      const frame = await run(
        () =>
          [...document.querySelectorAll('iframe')].find((one) =>
            one.checkVisibility({ visibilityProperty: true }),
          ) ?? null,
      )
      await call(`${session}/frame`, { id: frame })
      try {
        return (await run(work, ...args)) as never
      } finally {
        await call(`${session}/frame`, { id: null })
      }
    },
    press: async (css, name) => void (await call(`${session}/element/${await find(css, name)}/click`, {})),
    type: async (css, text) => void (await call(`${session}/element/${await find(css, '')}/value`, { text })),
    key: async (name) => {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: keys[name] }))
      await call(`${session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    screenshot,
    complaints: [],
    close: async () => void (await call(session, undefined, 'DELETE')),
  }
}

async function call(
  address: string,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const { value } = (await answer.json()) as { value: unknown }
  if (!answer.ok)
    throw new Error(`${method} ${new URL(address).pathname}: ${JSON.stringify(value).slice(0, 500)}`)
  return value
}

async function untilReady(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (
      await fetch(address).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await sleep(100)
  }
  throw new Error('WebKitWebDriver did not start')
}
