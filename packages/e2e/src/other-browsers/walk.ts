import type { Browser } from 'puppeteer-core'
import { people } from '../people/people.ts'
import { dataIn, drawnFrame, faultsOf, filterBy, openPage } from './visitor.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** What a browser showed. */
export interface Walked {
  pictures: Record<string, Uint8Array>
  /** The data of the two reports, and of the filtered one: visual → rows of texts. */
  data: Record<string, Record<string, string[][]>>
  faults: string[]
  complaints: string[]
}

/** Does the main tasks in a browser, and takes a picture of each screen. */
export const walk = async (
  browser: Browser,
  portal: string,
  reports: Record<'first' | 'second' | 'clinical', { path: string }>,
): Promise<Walked> => {
  const visitor = await openPage(browser, portal)
  const { page, press, signIn, goto, complaints } = visitor
  const walked: Walked = { pictures: {}, data: {}, faults: [], complaints }
  const take = async (name: string) => {
    await page.evaluate(() => document.fonts.ready.then(() => {}))
    walked.pictures[name] = await page.screenshot()
  }
  const drawn = async (name: string) => {
    const frame = await drawnFrame(page)
    walked.faults.push(...(await faultsOf(frame)).map((fault) => `${name}: ${fault}`))
    walked.data[name] = await dataIn(frame)
    await take(name)
    return frame
  }

  await page.setViewport(DESKTOP)
  await goto('/')
  await page.waitForSelector('input[autocomplete="username"]')
  await take('sign-in')
  await signIn(people.admin)
  await page.waitForFunction(() => document.querySelector('main h1, main h2') !== null)
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
  await take('home')
  await goto(reports.first.path)
  await drawn('report')
  await filterBy(visitor, 'feminino')
  await page.waitForFunction(() => location.search.includes('sexo=feminino'))
  await page.waitForFunction(() => document.body.textContent?.includes('Filtros aplicados.'))
  await drawn('filtered report')
  await goto(reports.second.path)
  await drawn('second report')
  await goto('/usuario')
  await page.waitForSelector('main table tbody tr')
  await take('list')
  await goto('/cadastrar-usuario')
  await page.waitForSelector('main form input')
  await take('form')

  await goto(reports.first.path)
  await drawnFrame(page)
  await press('button', 'Sua conta')
  await press('label', 'Escuro')
  await page.keyboard.press('Escape')
  const dark = await drawn('dark report')
  const scheme = await dark.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  if (scheme !== 'dark') walked.faults.push(`the report is ${scheme} in the dark portal`)
  await page.setViewport(PHONE)
  await goto(reports.second.path)
  await drawn('report on the phone')
  await visitor.close()

  const clinician = await openPage(browser, portal)
  await clinician.page.setViewport(DESKTOP)
  await clinician.signIn(people.helena)
  await clinician.goto(reports.clinical.path)
  await drawnFrame(clinician.page)
  await clinician.press('header button', 'Prontuários')
  await clinician.press('label', 'Atendimento')
  await clinician.press('button', 'Continuar')
  await clinician.press('[role=tab]', 'Prontuários')
  await clinician.page.waitForSelector('[role=tabpanel] li')
  walked.pictures.records = await clinician.page.screenshot()
  complaints.push(...clinician.complaints)
  await clinician.close()
  return walked
}
