import { expect, test } from 'vitest'
import { dataOf } from '../../browser/report-frame.ts'
import { isIn, protocolReport } from '../../stock/protocol-report.ts'
import { namesIn, stockPages } from '../../stock/stock-page.ts'
import type { Refusal } from '../../stock/stock-script.ts'

/* The error bodies of refused calls, of calls before the load, and of failed data requests. */

const { openPage, openReport } = stockPages()

const given = { good: isIn('operadora', 'CNU'), bad: isIn('inexistente', 'x'), unknown: 9 }
const error = (errorCode: string, detailedMessage: string) => ({
  message: errorCode,
  detailedMessage,
  errorCode,
  level: 3,
})
const noColumn = error('InvalidFilter', 'Este relatório não tem a coluna Sinistralidade/inexistente.')
const noOperation = error('InvalidParameters', 'filtersOperation deve ser 0, 1, 2 ou 3.')
const noPage = error('PowerBIEntityNotFound', 'Este relatório não tem a página nenhuma.')
const notFound = 'PowerBIEntityNotFound'
const noVisual = error('PowerBIEntityNotFound', 'Esta página não tem o visual nenhum.')
const noObject = error('InvalidParameters', 'As configurações devem ser um objeto.')
const noPlace = error('InvalidParameters', 'O leiaute de uma deve ser um objeto.')
const notLoaded = error('ReportNotLoaded', 'O relatório ainda não foi carregado.')

test('a refused call has a complete error body and changes nothing', async () => {
  const { page, frame, answersInFull } = await openReport(protocolReport.name)
  const whole = await dataOf(frame)
  const { refusals, heard, filters } = await page.evaluate(async ({ good, bad, unknown }) => {
    const { report } = stock
    const uma = report.page('uma')
    const none = report.page('nenhuma')
    const visual = await uma.getVisualByName('operadora')
    const gone = stock.visual(uma, 'nenhum')
    stock.heard.length = 0
    const calls: Record<string, () => Promise<unknown>> = {
      'report: an unknown column added': () => report.updateFilters(2, [bad]),
      'report: an unknown operation': () => report.updateFilters(unknown, [good]),
      'page: an unknown column': () => uma.setFilters([bad]),
      'page: an unknown column added': () => uma.updateFilters(2, [bad]),
      'page: an unknown operation': () => uma.updateFilters(unknown, [good]),
      'visual: an unknown column': () => visual.setFilters([bad]),
      'visual: an unknown column added': () => visual.updateFilters(2, [bad]),
      'visual: an unknown operation': () => visual.updateFilters(unknown, [good]),
      'no page: to turn to': () => none.setActive(),
      'no page: its filters': () => none.getFilters(),
      'no page: filters set': () => none.setFilters([good]),
      'no page: filters added': () => none.updateFilters(2, [good]),
      'no page: filters removed': () => none.removeFilters(),
      'no page: its visuals': () => none.getVisuals(),
      'no page: its layouts': () => none.hasLayout(2),
      'no page: a visual moved': () => none.moveVisual('operadora', 1, 1),
      'no visual: its filters': () => gone.getFilters(),
      'no visual: filters set': () => gone.setFilters([good]),
      'no visual: its slicer': () => gone.getSlicerState(),
      'no visual: slicer set': () => gone.setSlicerState({ filters: [good] }),
      'no visual: its data': () => gone.exportData(0),
      'no visual: moved': () => gone.moveVisual(1, 1),
      'settings: a text': () => report.updateSettings('x' as never),
      'settings: a list': () => report.updateSettings([] as never),
      'settings: nothing': () => report.updateSettings(null as never),
      'settings: a page that is nothing': () =>
        report.updateSettings({ customLayout: { pagesLayout: { uma: null } } } as never),
      'no such call': () => report.switchMode('edit'),
    }
    const refusals: Record<string, unknown> = {}
    for (const [name, call] of Object.entries(calls)) refusals[name] = await stock.refusal(call())
    const inForce = [report, uma, visual].map((owner) => owner.getFilters())
    return { refusals, heard: stock.heard, filters: await Promise.all(inForce) }
  }, given)
  expect(refusals).toEqual({
    'report: an unknown column added': noColumn,
    'report: an unknown operation': noOperation,
    'page: an unknown column': noColumn,
    'page: an unknown column added': noColumn,
    'page: an unknown operation': noOperation,
    'visual: an unknown column': noColumn,
    'visual: an unknown column added': noColumn,
    'visual: an unknown operation': noOperation,
    'no page: to turn to': noPage,
    'no page: its filters': noPage,
    'no page: filters set': noPage,
    'no page: filters added': noPage,
    'no page: filters removed': noPage,
    'no page: its visuals': noPage,
    'no page: its layouts': noPage,
    // The client looks up the page's visuals and reports this error itself.
    'no page: a visual moved': notFound,
    'no visual: its filters': noVisual,
    'no visual: filters set': noVisual,
    'no visual: its slicer': noVisual,
    'no visual: slicer set': noVisual,
    'no visual: its data': noVisual,
    'no visual: moved': notFound,
    'settings: a text': noObject,
    'settings: a list': noObject,
    'settings: nothing': noObject,
    'settings: a page that is nothing': noPlace,
    'no such call': {
      message: 'NotImplemented',
      detailedMessage: 'POST /report/switchMode/edit',
      errorCode: '501',
    },
  })
  // A page or visual that does not exist also causes an error event.
  const missing = heard.map(([name, detail]) => [name, (detail as Refusal).detailedMessage])
  expect(missing).toEqual([
    ...Array(7).fill(['error', noPage.detailedMessage]),
    ...Array(5).fill(['error', noVisual.detailedMessage]),
  ])
  expect(filters).toEqual([[], [], []])
  expect(await dataOf(frame)).toEqual(whole)
  const statuses = (await answersInFull()).flatMap(({ answer: { statusCode = 0, body } = {} }) =>
    statusCode >= 400 ? [[statusCode, (body as { errorCode: string }).errorCode]] : [],
  )
  expect([...new Set(statuses.map((status) => status.join(' ')))].toSorted()).toEqual([
    '400 InvalidFilter',
    '400 InvalidParameters',
    '404 PowerBIEntityNotFound',
    '501 501',
  ])
})

test('calls on pages, visuals, slicers or data before the load are refused with ReportNotLoaded', async () => {
  const { page, configuration, untilReady } = await openPage()
  const { embedUrl } = await configuration(protocolReport.name)
  await page.evaluate((embedUrl) => {
    const { element } = stock
    stock.report = powerbi.bootstrap(element(), { type: 'report', embedUrl }) as typeof stock.report
  }, embedUrl)
  await untilReady()
  const refusals = await page.evaluate(({ good }) => {
    const { report } = stock
    const uma = report.page('uma')
    const slicer = stock.visual(uma, 'escolha')
    const calls = [
      report.updateFilters(2, [good]),
      report.removeFilters(),
      report.getCorrelationId(),
      uma.setActive(),
      uma.getFilters(),
      uma.setFilters([good]),
      uma.updateFilters(2, [good]),
      uma.removeFilters(),
      uma.getVisuals(),
      uma.hasLayout(2),
      uma.moveVisual('escolha', 1, 1),
      slicer.getFilters(),
      slicer.setFilters([good]),
      slicer.updateFilters(2, [good]),
      slicer.removeFilters(),
      slicer.getSlicerState(),
      slicer.setSlicerState({ filters: [good] }),
      slicer.exportData(0),
    ]
    return Promise.all(calls.map((call) => stock.refusal(call)))
  }, given)
  expect(refusals).toEqual(refusals.map(() => notLoaded))
  expect(refusals).toHaveLength(18)
})

test('a failed data request emits error after refresh and setPage, until data is available again', async () => {
  const { page, frame, expectComplaint, answers } = await openReport(protocolReport.name)
  expectComplaint(/500/)
  await page.route('**/embed-api/reports/*/data', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'QueryFailed', message: 'x' } } }),
  )
  const failed = error('QueryFailed', 'Não foi possível carregar os dados do relatório.')
  const refreshed = await page.evaluate(() => stock.during(() => stock.report.refresh(), 'error'))
  expect(refreshed).toEqual([
    ['renderingStarted', {}],
    ['error', failed],
  ])
  const turned = await page.evaluate(() => stock.during(() => stock.report.setPage('outra'), 'error'))
  expect(turned.map(([name]) => name)).toEqual(['pageChanged', 'renderingStarted', 'error'])
  expect(turned.at(-1)).toEqual(['error', failed])
  await page.unroute('**/embed-api/reports/*/data')
  const again = await page.evaluate(() => stock.during(() => stock.report.refresh(), 'rendered'))
  expect(again.map(([name]) => name)).toEqual(['renderingStarted', 'rendered'])
  expect(await namesIn(frame, 'quem')).toHaveLength(4)
  expect(await answers()).toEqual([
    'POST /report/refresh 202',
    'PUT /report/pages/active 202',
    'POST /report/refresh 202',
  ])
})
