import { people } from '../people/people.ts'
import { type BrowserPage, until } from './browser-page.ts'
import { dataOfReport, faultsOf, filterBy, schemeOfReport, signIn, untilDrawn } from './visitor.ts'

const DESKTOP = { width: 1440, height: 900 }
/** WebKitGTK's window is not narrower than 450 pixels. */
const PHONE = { width: 460, height: 844 }

/** What a browser showed. */
interface Walked {
  pictures: Record<string, Uint8Array>
  /** The data of each report: visual → rows of texts. */
  data: Record<string, Record<string, string[][]>>
  faults: string[]
  complaints: string[]
}

/** Does the main tasks in a browser, and takes a picture of each screen. */
export const walk = async (
  openPage: () => Promise<BrowserPage>,
  portal: string,
  reports: Record<'first' | 'second' | 'clinical', { path: string }>,
): Promise<Walked> => {
  const page = await openPage()
  const walked: Walked = { pictures: {}, data: {}, faults: [], complaints: [...page.complaints] }
  const take = async (name: string, of = page) => {
    await of.run(() => document.fonts.ready.then(() => {}))
    walked.pictures[name] = await of.screenshot()
  }
  const drawn = async (name: string) => {
    await untilDrawn(page)
    walked.faults.push(...(await faultsOf(page)).map((fault) => `${name}: ${fault}`))
    walked.data[name] = await dataOfReport(page)
    await take(name)
  }
  const untilFound = (css: string, of = page) =>
    until(of.run, (wanted) => document.querySelector(wanted) !== null, css)

  await page.goto(portal)
  await page.resize(DESKTOP)
  await untilFound('input[autocomplete="username"]')
  await until(page.run, () => document.body.textContent?.includes('Demonstração.') ?? false)
  await take('sign-in')
  await signIn(page, portal, people.admin)
  await untilFound('main h1, main h2')
  await until(page.run, () => document.querySelector('[aria-busy=true]') === null)
  await take('home')
  await page.goto(portal + reports.first.path)
  await drawn('report')
  await filterBy(page, 'feminino')
  await until(page.run, () => location.search.includes('sexo=feminino'))
  await until(page.run, () => document.body.textContent?.includes('Filtros aplicados.') ?? false)
  await drawn('filtered report')
  await page.goto(portal + reports.second.path)
  await drawn('second report')
  await page.goto(`${portal}/usuario`)
  await untilFound('main table tbody tr')
  await take('list')
  await page.goto(`${portal}/cadastrar-usuario`)
  await untilFound('main form input')
  await take('form')

  await page.goto(portal + reports.first.path)
  await untilDrawn(page)
  await page.press('button', 'Sua conta')
  await page.press('label', 'Escuro')
  await page.key('Escape')
  await drawn('dark report')
  const scheme = await schemeOfReport(page)
  if (scheme !== 'dark') walked.faults.push(`the report is ${scheme} in the dark portal`)
  await page.resize(PHONE)
  await page.goto(portal + reports.second.path)
  await drawn('report on the phone')
  await page.close()

  const clinician = await openPage()
  await clinician.goto(portal)
  await clinician.resize(DESKTOP)
  await signIn(clinician, portal, people.helena)
  await clinician.goto(portal + reports.clinical.path)
  await untilDrawn(clinician)
  await clinician.press('header button', 'Prontuários')
  await clinician.press('label', 'Atendimento')
  await clinician.press('button', 'Continuar')
  await clinician.press('[role=tab]', 'Prontuários')
  await untilFound('[role=tabpanel] li', clinician)
  await take('records', clinician)
  walked.complaints = [...page.complaints, ...clinician.complaints]
  await clinician.close()
  return walked
}
