import { type UsageRow, type UsageSummary, usageApi, usersApi } from '@bi-manager/contract'
import type { Browser } from 'playwright-core'
import { waitForRendered } from '../browser/report-frame.ts'
import { type Look, openBrowserProfile } from '../browser/visitor.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

const DAY = 86_400_000

/** Time (ms) for charts to be rendered at their final size. */
const SETTLING = 900

/** Takes the pictures of usage, with made-up figures, and of a report seen as another person. */
export const shootUsage = async (
  browser: Browser,
  portal: string,
  folder: string,
  { size, colorScheme }: Look = { size: 'desktop', colorScheme: 'light' },
): Promise<void> => {
  const { call, menu } = await signedInClient(portal, people.admin)
  const reports = reportsOf(await menu())
  const [ana] = await call(usersApi.list, { query: { busca: 'ana martins', pagina: 1 } })
  const visitor = await openBrowserProfile(browser, { portal, size, colorScheme })
  const { page } = visitor
  const shoot = async (name: string) => {
    await page.waitForTimeout(SETTLING)
    await page.screenshot({ path: `${folder}${name}-${size}-${colorScheme}.png`, animations: 'disabled' })
  }
  await page.route(`**/api${usageApi.summary.url}?*`, (route) => route.fulfill({ json: month() }))
  await page.route(`**/api${usageApi.list.url}?*`, (route) =>
    route.fulfill({ json: rowsOf(reports), headers: { 'x-total-count': String(reports.length) } }),
  )
  await visitor.enter(people.admin, '/uso')
  await page.getByText('Ver em números').waitFor()
  await shoot('usage')

  const asAna = reportsOf(await (await signedInClient(portal, people.ana)).menu())
  const seen = asAna.find(({ name }) => name === 'Sinistralidade') ?? asAna[0]
  await visitor.goto(`/permissoes/ver-como/${ana?.idUsuario}/${seen?.groupId}/${seen?.reportId}`)
  await waitForRendered(page)
  await shoot('report-as')
  await visitor.close()
}

const month = (): UsageSummary => {
  const days = Array.from({ length: 30 }, (_, at) => new Date(Date.now() - (29 - at) * DAY))
  const serie = days
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .map((day, at) => {
      const visualizacoes = 210 + Math.round(Math.sin(at * 1.7) * 45 + Math.cos(at * 0.6) * 30)
      return {
        inicio: day.toISOString().slice(0, 10),
        visualizacoes,
        leitores: Math.round(visualizacoes / 4),
        erros: at % 5 === 0 ? 2 : 0,
      }
    })
  const [de = '', ate = ''] = [days[0], days.at(-1)].map((day) => day?.toISOString().slice(0, 10))
  const visualizacoes = serie.reduce((sum, day) => sum + day.visualizacoes, 0)
  return {
    de,
    ate,
    visualizacoes,
    paginas: Math.round(visualizacoes * 2.3),
    erros: 10,
    p50: 840,
    p95: 1_690,
    leitores: 187,
    incompleto: false,
    porMes: false,
    serie,
  }
}

const rowsOf = (reports: { idRelatorio: number; name: string; workspace: string }[]): UsageRow[] =>
  reports.slice(0, 5).map(({ idRelatorio, name, workspace }, at) => ({
    id: idRelatorio,
    nome: name,
    detalhe: workspace,
    visualizacoes: 1_480 - at * 260,
    leitores: 112 - at * 17,
    paginas: 3_390 - at * 540,
    erros: at === 1 ? 6 : 1,
    p50: 640 + at * 130,
    p95: 1_310 + at * 290,
  }))
