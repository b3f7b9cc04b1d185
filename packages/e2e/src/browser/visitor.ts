import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, ConsoleMessage, Frame, Locator, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import type { Person } from '../people/people.ts'
import { joinBrowser } from './browser.ts'
import { signInForm } from './sign-in.ts'

export const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
export type Size = keyof typeof viewports
export const sizes = Object.keys(viewports) as Size[]
type ColorScheme = 'light' | 'dark'

export interface Look {
  size: Size
  colorScheme: ColorScheme
}

/** Together they cover both sizes and both themes, which are independent of each other. */
export const looks: [Look, Look] = [
  { size: 'desktop', colorScheme: 'light' },
  { size: 'phone', colorScheme: 'dark' },
]

export interface VisitorOptions extends Partial<Look> {
  portal: string
  /** By default there is none: a request through it is out of reach of Playwright's routes. */
  hasServiceWorker?: boolean
  /** For a service with a self-signed certificate. */
  ignoreHTTPSErrors?: boolean
}

export interface Visitor {
  page: Page
  /** The page's content, without menus. */
  main: Locator
  look: Look
  /** Console errors and warnings, and CSP violations. */
  complaints: string[]
  /** Allows the journey to provoke this complaint. */
  expectComplaint: (pattern: RegExp) => void
  goto: (path: string) => Promise<void>
  /** Signs in through the form of the open page. */
  signIn: (person: Person) => Promise<void>
  /** Opens a page signed in through the API: the form and the home page would take seconds. */
  enter: (person: Person, path: string) => Promise<void>
  /** Removes the session, on a page other than the portal's, which would send more requests. */
  forgetSession: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a separate profile of the journeys' browser, by default on the portal they share. */
export const visit = async (options: Partial<VisitorOptions> = {}): Promise<Visitor> =>
  openBrowserProfile(await joinBrowser(), { portal: inject('portal'), ...options })

/** Opens a separate browser profile. `close` fails on unexpected complaints. */
export const openBrowserProfile = async (
  browser: Browser,
  {
    portal,
    size = 'desktop',
    colorScheme = 'light',
    hasServiceWorker = false,
    ignoreHTTPSErrors = false,
  }: VisitorOptions,
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
  // Playwright can block the worker too, but with a warning on the console.
  if (!hasServiceWorker)
    await context.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  // In every frame: a blocked eval does not cause a console message by itself.
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
    main: page.getByRole('main'),
    look: { size, colorScheme },
    complaints,
    expectComplaint: (pattern) => void expected.push(pattern),
    goto,
    signIn: async (person) => {
      await signInForm(page).send(person)
      await page.waitForURL((url) => url.pathname !== '/')
    },
    enter: async ({ email, password }, path) => {
      const data = { username: email, password }
      // Sent by the browser context, which stores any cookies of the answer.
      const answer = await context.request.post(`${portal}/api/usuarios/authorizer`, { data })
      expect(answer.status(), `${email} signs in`).toBe(200)
      const { access_token, usuario_id, client_id, tipo, nome, pendencia } = await answer.json()
      const session = JSON.stringify({ access_token, usuario_id, client_id, tipo, nome, pendencia })
      // Any address of the portal's origin; this one loads nothing.
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

/** Ends the session: each person may have twenty, and all journeys sign the same people in. */
const signOut = async (
  portal: string,
  origins: { localStorage: { name: string; value: string }[] }[],
): Promise<void> => {
  const kept = origins
    .flatMap(({ localStorage }) => localStorage)
    .find(({ name }) => name === 'bi-manager.sessao')
  if (!kept) return
  const { access_token } = JSON.parse(kept.value)
  // The portal may be stopped, or the session already ended.
  await fetch(`${portal}/api/usuarios/sair`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
  }).catch(() => undefined)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs axe in the page and all visible frames, once no list is refetching. */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  // A list in a hidden section is refetched only when it is shown again.
  await page.waitForFunction(
    () => ![...document.querySelectorAll('[data-stale]')].some((list) => list.checkVisibility()),
  )
  for (const frame of page.frames()) {
    if (!(await isSeen(frame))) continue
    const found = await violations(frame).catch((error: unknown) => {
      // The report's frame may be removed during the check; the main frame never is.
      if (frame !== page.mainFrame() && isGone(frame, error)) return []
      throw error
    })
    expect(found, `axe: ${what}, ${new URL(frame.url()).pathname}`).toEqual([])
  }
}

/** Runs axe on one document, such as a report whose portal page is checked elsewhere. */
export const expectFrameAccessible = async (frame: Frame, what: string): Promise<void> =>
  expect(await violations(frame), `axe: ${what}`).toEqual([])

/** Returns false for a frame that was prepared ahead and is not shown yet. */
const isSeen = async (frame: Frame): Promise<boolean> => {
  if (!frame.parentFrame()) return true
  try {
    return await (await frame.frameElement()).isVisible()
  } catch (error) {
    if (isGone(frame, error)) return false
    throw error
  }
}

/** An answer may report the removal before the frame's detach event. */
const isGone = (frame: Frame, error: unknown): boolean =>
  frame.isDetached() || /frame (has been|was) detached/i.test(String(error))

const violations = async (frame: Frame): Promise<string[]> => {
  // Half a megabyte of source, loaded once per document for all of its states.
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

/** Expects an accessible page without sideways scrolling. */
export const expectReadable = async (page: Page, what: string): Promise<void> => {
  await expectAccessible(page, what)
  await expectNoSidewaysScroll(page)
}

/**
 * Expects a readable page in both looks, without changing its state. Thus a path is walked once, on
 * the desktop or the phone, and each state is checked on both.
 */
export const settled = async ({ page, look }: Visitor, what: string): Promise<void> => {
  await expectReadable(page, `${what}, ${look.size} ${look.colorScheme}`)
  const [other] = looks.filter(({ size }) => size !== look.size)
  if (!other) return
  await applyLook(page, other)
  const evaluate = () => expectReadable(page, `${what}, ${other.size} ${other.colorScheme}`)
  await evaluate().catch(async () => {
    // Elements placed by measurement, such as a tab's marker, follow the new size with a delay.
    await page.waitForTimeout(500)
    await evaluate()
  })
  await applyLook(page, look)
}

/** Changes the size and theme of the open page. */
export const applyLook = (page: Page, { size, colorScheme }: Look): Promise<void> =>
  applyViewport(page, viewports[size], colorScheme)

/** Changes the viewport and theme of the open page, and waits for the end of transitions. */
export const applyViewport = async (
  page: Page,
  viewport: { width: number; height: number },
  colorScheme: ColorScheme,
): Promise<void> => {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  const running = await page.evaluate(async () => {
    // A page that draws no frame answers no requestAnimationFrame.
    const frame = () =>
      Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 1_000))])
    // In a closed <details>, those that have finished stay in the list.
    const transitions = () =>
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .filter(({ playState }) => playState !== 'finished')
    // The theme follows a frame later; colours in transition have no meaningful contrast.
    await frame()
    await frame()
    const end = performance.now() + 20_000
    while (transitions().length > 0 && performance.now() < end) await frame()
    return transitions().map(({ transitionProperty }) => transitionProperty)
  })
  expect(running, 'transitions that do not end').toEqual([])
}

/** Expects no sideways scrolling, after the layout has adapted to a new size. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(overflow).toBeLessThanOrEqual(0)
}
