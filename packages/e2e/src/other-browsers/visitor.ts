import type { Browser, ElementHandle, Frame, Page } from 'puppeteer-core'

export type Person = { email: string; password: string }

/** A page of the portal in any browser, and what it complained about. */
export const openPage = async (browser: Browser, portal: string) => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  /** Clicks the visible element of this role (CSS) whose label or text is the given one. */
  const press = async (css: string, name: string) => {
    const handle = await page.waitForFunction(findNamed, {}, css, name)
    await (handle as ElementHandle<Element>).click()
  }
  return {
    page,
    complaints,
    press,
    goto: (path: string) => page.goto(portal + path, { waitUntil: 'load' }),
    signIn: async (person: Person) => {
      await page.goto(portal, { waitUntil: 'load' })
      await page.waitForSelector('input[autocomplete="username"]')
      await page.type('input[autocomplete="username"]', person.email)
      await page.type('input[autocomplete="current-password"]', person.password)
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => location.pathname !== '/')
    },
    close: () => context.close(),
  }
}
export type OtherVisitor = Awaited<ReturnType<typeof openPage>>

const findNamed = (css: string, name: string): Element | null =>
  [...document.querySelectorAll(css)].find(
    (element) =>
      element.checkVisibility() &&
      (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().startsWith(name),
  ) ?? null

/** Chooses an option in the panel 'Filtrar Relatórios' and filters. */
export const filterBy = async ({ page, press }: Pick<OtherVisitor, 'page' | 'press'>, value: string) => {
  await press('button', 'Filtrar Relatórios')
  const panel = 'form[aria-label="Filtrar Relatórios"]'
  await page.waitForSelector(`${panel} option[value="${value}"]`)
  await page.evaluate(
    (css, wanted) => {
      const option = document.querySelector(`${css} option[value="${wanted}"]`)
      option?.closest('select')?.setAttribute('data-chosen', '')
    },
    panel,
    value,
  )
  await page.select(`${panel} select[data-chosen]`, value)
  await press(`${panel} button`, 'Filtrar')
}

/** Waits until the viewer reports that its report is drawn, and returns its frame. */
export const drawnFrame = async (page: Page): Promise<Frame> => {
  await page.waitForSelector('[data-state="renderizado"]', { timeout: 40_000 })
  const frames = page.frames().filter((frame) => frame.url().includes('/reportEmbed'))
  for (const frame of frames)
    if (await frame.$('table[data-visual]')) {
      await frame.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'))
      return frame
    }
  throw new Error('the report has no frame')
}

/** Returns the hidden tables of a report whose caption is visible, and charts without a drawing. */
export const faultsOf = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() => {
    const seen = [...document.querySelectorAll<HTMLElement>('table.readable caption')].filter((caption) => {
      const { width, height } = caption.getBoundingClientRect()
      return width > 1 && height > 1 && getComputedStyle(caption).clipPath === 'none'
    })
    const blank = [...document.querySelectorAll('canvas')].filter((canvas) => {
      const context = canvas.getContext('2d')
      if (!context || canvas.width === 0) return true
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
      return !data.some((value) => value !== data[0])
    })
    return [
      ...seen.map((caption) => `visible caption: ${caption.textContent}`),
      ...blank.map(() => 'a chart without a drawing'),
    ]
  })

/** Returns the data of each visual: name → rows of texts. */
export const dataIn = (frame: Frame): Promise<Record<string, string[][]>> =>
  frame.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLTableElement>('table[data-visual]')].map((table) => [
        table.dataset.visual ?? '',
        [...table.tBodies].flatMap((body) =>
          [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent ?? '')),
        ),
      ]),
    ),
  )
