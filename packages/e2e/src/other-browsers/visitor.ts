import { readTables } from '../browser/report-frame.ts'
import { type BrowserPage, until } from './browser-page.ts'

type Person = { email: string; password: string }

export const signIn = async (page: BrowserPage, portal: string, person: Person): Promise<void> => {
  await page.goto(portal)
  await page.type('input[autocomplete="username"]', person.email)
  await page.type('input[autocomplete="current-password"]', person.password)
  await page.key('Enter')
  await until(page.run, () => location.pathname !== '/')
}

/** Chooses an option in the panel 'Filtrar Relatórios' and filters. */
export const filterBy = async (page: BrowserPage, value: string): Promise<void> => {
  await page.press('button', 'Filtrar Relatórios')
  const option = `form[aria-label="Filtrar Relatórios"] option[value="${value}"]`
  await until(page.run, (css) => document.querySelector(css) !== null, option)
  await page.run(
    (css, wanted) => {
      const select = document.querySelector(css)?.closest('select')
      if (!select) throw new Error('there is no such option')
      select.value = wanted
      select.dispatchEvent(new Event('change', { bubbles: true }))
    },
    option,
    value,
  )
  await page.press('form button', 'Filtrar')
}

/** Waits until the viewer reports that its report is drawn. */
export const untilDrawn = async (page: BrowserPage): Promise<void> => {
  await until(page.run, () => document.querySelector('[data-state="renderizado"]') !== null)
  await until(
    page.runInReport,
    () =>
      document.querySelector('table[data-visual]') !== null &&
      document.querySelector('[aria-busy=true], .skeleton') === null,
  )
}

/** Returns the hidden tables of the report whose caption is visible, and charts without a drawing. */
export const faultsOf = (page: BrowserPage): Promise<string[]> =>
  page.runInReport(() => {
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

/** Returns the data of each visual of the report: name → rows of texts. */
export const dataOfReport = (page: BrowserPage): Promise<Record<string, string[][]>> =>
  page.runInReport(readTables)

/** Returns 'light' or 'dark', as the report is drawn. */
export const schemeOfReport = (page: BrowserPage): Promise<string> =>
  page.runInReport(() => getComputedStyle(document.documentElement).colorScheme)
