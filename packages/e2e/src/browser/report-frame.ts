import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the viewer reports that its report is rendered, and returns its frame. */
export const waitForRendered = async (page: Page): Promise<Frame> => {
  await page
    .locator('[data-state="renderizado"]')
    .waitFor({ timeout: 40_000 })
    .catch(async (cause) => {
      const shown = await page
        .locator('[data-state]')
        .first()
        .evaluate(shownBy, undefined, { timeout: 1_000 })
      throw new Error(`the report is not drawn; the viewer shows: ${shown}`, { cause })
    })
  const frame = page.frames().find((candidate) => candidate.url().includes('/reportEmbed'))
  if (!frame) throw new Error('the report has no frame')
  return frame
}

const shownBy = (viewer: Element) =>
  `${viewer.getAttribute('data-state')}, ${viewer.textContent.slice(0, 500)}`

/** Runs in the report's page: reads each visual's hidden table. @returns name → rows of texts */
export const readTables = (): Record<string, string[][]> =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLTableElement>('table[data-visual]')].map((table) => [
      table.dataset.visual ?? '',
      [...table.tBodies].flatMap((body) =>
        [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent ?? '')),
      ),
    ]),
  )

/** Returns the data of each visual: name → rows of texts. */
export const dataOf = (frame: Frame): Promise<Record<string, string[][]>> => frame.evaluate(readTables)

/** Expects at least three visuals, each with data. */
export const expectDrawn = async (frame: Frame, what: string): Promise<void> => {
  const data = await dataOf(frame)
  expect(Object.keys(data).length, `${what}: visuals`).toBeGreaterThan(2)
  for (const [visual, rows] of Object.entries(data))
    expect(rows.length, `${what}: rows of ${visual}`).toBeGreaterThan(0)
}

/** Waits until no visual is loading rows or code. */
export const settled = async (frame: Frame): Promise<void> =>
  void (await frame.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'), undefined, {
    timeout: 30_000,
  }))

interface ShownPage {
  visuals: number
  /** Messages shown in place of a visual: no rows, or a failure. */
  notices: string[]
  /** Charts whose canvas has only one colour. */
  blank: string[]
  cutTitles: string[]
  /** Tables that scroll sideways in the canvas layout; in the phone layout they may. */
  wideTables: string[]
  /** Pixels by which the document is wider than its frame. */
  overflow: number
}

/** Returns a page's visible defects, regardless of its numbers. */
export const readPage = (frame: Frame): Promise<ShownPage> =>
  frame.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
    const nameOf = (element: Element) =>
      element.closest<HTMLElement>('[data-name]')?.dataset.name ?? 'the page'
    const isWide = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1
    const isBlank = (canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
      return !pixels?.some((value) => value !== pixels[0])
    }
    const onCanvas = !document.querySelector('.canvas.phone')
    return {
      visuals: all('[data-name]').length,
      notices: all('.notice').map((notice) => `${nameOf(notice)}: ${notice.textContent}`),
      blank: [...document.querySelectorAll('canvas')].filter(isBlank).map(nameOf),
      cutTitles: all('.visual h2').filter(isWide).map(nameOf),
      wideTables: onCanvas ? all('.scroll').filter(isWide).map(nameOf) : [],
      overflow: document.documentElement.scrollWidth - window.innerWidth,
    }
  })

/** Changes the reader's colour scheme and waits until the report has followed. */
export const setColorScheme = async (page: Page, frame: Frame, colorScheme: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme })
  await frame.waitForFunction(
    (scheme) => window.matchMedia(`(prefers-color-scheme: ${scheme})`).matches,
    colorScheme,
  )
}
