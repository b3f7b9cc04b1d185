import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, ConsoleMessage, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Person } from './people.ts'

export const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
export type Size = keyof typeof viewports
export const sizes = Object.keys(viewports) as Size[]
export type ColorScheme = 'light' | 'dark'

export interface Look {
  size: Size
  colorScheme: ColorScheme
}

/** Between them they cover both sizes and both themes: contrast does not depend on the size, nor layout on the colours. */
export const looks: [Look, Look] = [
  { size: 'desktop', colorScheme: 'light' },
  { size: 'phone', colorScheme: 'dark' },
]

interface VisitorOptions extends Partial<Look> {
  portal: string
  /** For a service behind a certificate of its own making. */
  ignoreHTTPSErrors?: boolean
}

export interface Visitor {
  page: Page
  look: Look
  /** What the browser complained about, but for the answers that the journey itself provokes. */
  complaints: string[]
  /** Lets the journey provoke this complaint. */
  expectComplaint: (pattern: RegExp) => void
  goto: (path: string) => Promise<void>
  /** Through the form of the page that is open. */
  signIn: (person: Person) => Promise<void>
  /** In front of a page, signed in: where the way in is not what the journey is about, the form and the home page take seconds. */
  enter: (person: Person, path: string) => Promise<void>
  /** Takes the session out of the browser, from a page other than the portal's, which would go on asking, as nobody. */
  forgetSession: () => Promise<void>
  close: () => Promise<void>
}

/** A browser profile of one's own. Every journey ends with `close`, which fails on an unexpected console error. */
export const visit = async (
  browser: Browser,
  { portal, size = 'desktop', colorScheme = 'light', ignoreHTTPSErrors = false }: VisitorOptions,
): Promise<Visitor> => {
  const context = await browser.newContext({
    viewport: viewports[size],
    colorScheme,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
    hasTouch: size === 'phone',
    ignoreHTTPSErrors,
  })
  // Into every frame: a blocked eval is no console message by itself.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`Content Security Policy: ${violatedDirective} blocked ${blockedURI} of ${sourceFile}`)
    })
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  const expected: RegExp[] = []
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`)
    }
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  const goto = async (path: string) => void (await page.goto(portal + path))
  return {
    page,
    look: { size, colorScheme },
    complaints,
    expectComplaint: (pattern) => void expected.push(pattern),
    goto,
    signIn: async ({ email, password }) => {
      await page.getByLabel('Usuário', { exact: true }).fill(email)
      await page.getByLabel('Senha', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Acessar' }).click()
      await page.waitForURL((url) => url.pathname !== '/')
    },
    enter: async ({ email, password }, path) => {
      const data = { username: email, password }
      // The browser's own call: what the answer lays down as cookies is there afterwards.
      const answer = await context.request.post(`${portal}/api/usuarios/authorizer`, { data })
      expect(answer.status(), `${email} signs in`).toBe(200)
      const { access_token, usuario_id, client_id, tipo, nome, pendencia } = await answer.json()
      const session = JSON.stringify({ access_token, usuario_id, client_id, tipo, nome, pendencia })
      // Any address of the portal will do, and this one loads nothing.
      await goto('/healthz')
      await page.evaluate((kept) => localStorage.setItem('bi-manager.sessao', kept), session)
      await goto(path)
    },
    forgetSession: async () => {
      await goto('/healthz')
      await page.evaluate(() => localStorage.removeItem('bi-manager.sessao'))
    },
    close: async () => {
      const { origins } = await context.storageState()
      await context.close()
      await signOut(portal, origins)
      expect(complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    },
  }
}

/** Leaves the person's place free: each may have twenty sessions, and every journey signs the same people in. */
const signOut = async (
  portal: string,
  origins: { localStorage: { name: string; value: string }[] }[],
): Promise<void> => {
  const kept = origins
    .flatMap(({ localStorage }) => localStorage)
    .find(({ name }) => name === 'bi-manager.sessao')
  if (!kept) return
  const { access_token } = JSON.parse(kept.value)
  // The portal may be stopped by now, and the session may have ended.
  await fetch(`${portal}/api/usuarios/sair`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
  }).catch(() => undefined)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs axe in the page and in every frame of it that is seen, once no list is dimmed while it is read anew; any violation fails. */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  // One in a section that is set aside is read anew when it is shown again.
  await page.waitForFunction(
    () => ![...document.querySelectorAll('[data-stale]')].some((list) => list.checkVisibility()),
  )
  for (const frame of page.frames()) {
    if (!(await isSeen(frame))) continue
    const found = await violations(frame).catch((error: unknown) => {
      // A report that gave way to another page meanwhile; the page itself is always there.
      if (frame !== page.mainFrame() && isGone(frame, error)) return []
      throw error
    })
    expect(found, `axe: ${what}, ${new URL(frame.url()).pathname}`).toEqual([])
  }
}

/** The same for one document alone: a report, whose portal was judged elsewhere. */
export const expectFrameAccessible = async (frame: Frame, what: string): Promise<void> =>
  expect(await violations(frame), `axe: ${what}`).toEqual([])

/** A frame that was only made ahead shows nothing yet, to nobody. */
const isSeen = async (frame: Frame): Promise<boolean> => {
  if (!frame.parentFrame()) return true
  try {
    return await (await frame.frameElement()).isVisible()
  } catch (error) {
    if (isGone(frame, error)) return false
    throw error
  }
}

/** The browser says so in its answer before the event that tells of it has come. */
const isGone = (frame: Frame, error: unknown): boolean =>
  frame.isDetached() || /frame (has been|was) detached/i.test(String(error))

const violations = async (frame: Frame): Promise<string[]> => {
  // Its half a megabyte is read once for each document, which then shows several states.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axeSource)
  return frame.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const results = await axe.run(document, {
      iframes: false,
      resultTypes: ['violations'],
    })
    return results.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
  })
}

/** Everybody can read what is on the screen, and nothing of it scrolls sideways. */
export const expectReadable = async (page: Page, what: string): Promise<void> => {
  await expectAccessible(page, what)
  await expectNoSidewaysScroll(page)
}

/**
 * The same in both looks, whichever of them the visitor has; what is on the screen stays. So a path is walked once, on the
 * desktop or on the phone, and each state on it is judged as it is on either.
 */
export const settled = async ({ page, look }: Visitor, what: string): Promise<void> => {
  await expectReadable(page, `${what}, ${look.size} ${look.colorScheme}`)
  const [other] = looks.filter(({ size }) => size !== look.size)
  if (!other) return
  await turnTo(page, other)
  const judge = () => expectReadable(page, `${what}, ${other.size} ${other.colorScheme}`)
  await judge().catch(async () => {
    // What is placed by measuring, such as the marker behind a choice, follows the new size in its own time.
    await page.waitForTimeout(500)
    await judge()
  })
  await turnTo(page, look)
}

/** What is on the screen, as it is in this look. */
export const turnTo = async (page: Page, { size, colorScheme }: Look): Promise<void> => {
  await page.setViewportSize(viewports[size])
  await page.emulateMedia({ colorScheme })
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    // The theme follows the media by one; colours on their way from one theme to the other have no contrast to speak of.
    await frame()
    await frame()
    while (document.getAnimations().some((animation) => animation instanceof CSSTransition)) await frame()
  })
}

/** Nothing may scroll sideways, once what follows a new size has followed. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(overflow).toBeLessThanOrEqual(0)
}
