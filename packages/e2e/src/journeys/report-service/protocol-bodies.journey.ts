import { expect, test } from 'vitest'
import { dataOf } from '../../browser/report-frame.ts'
import { protocolReport } from '../../stock/protocol-report.ts'
import { FIRST_BAR, stockPages } from '../../stock/stock-page.ts'

/* The exact bodies of answers and events. */

const { openPage } = stockPages()

const cnu = {
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table: 'Sinistralidade', column: 'operadora' },
  filterType: 1,
  operator: 'In' as const,
  values: ['CNU'],
  requireSingleSelection: false,
}
const page = (name: string, displayName: string, isActive: boolean) => ({
  name,
  displayName,
  isActive,
  visibility: 0,
  defaultSize: { type: 0, width: 1280, height: 720 },
  defaultDisplayOption: 0,
})
const santaCasa = { ...cnu, values: ['SANTA_CASA'] }
const accepted = { statusCode: 202, body: {} }
const ok = (body: unknown) => ({ statusCode: 200, body })

test("answers and events have the bodies of the protocol's capture, field by field", async () => {
  const { page: browserPage, embed, configuration, answersInFull, announcementsInFull } = await openPage()
  const { accessToken } = await configuration(protocolReport.name)
  const { frame } = await embed({ settings: { visualRenderedEvents: true } }, protocolReport.name)
  const uid = new URL(frame.url()).searchParams.get('uid')
  const [loadAnswers, loadEvents] = [await answersInFull(), await announcementsInFull()]
  expect(loadAnswers.map(({ asked, answer }) => [asked, answer]).toSorted()).toEqual([
    ['POST /frontload/config', accepted],
    ['POST /report/load', accepted],
  ])
  const shown = [
    { name: 'operadora', title: 'Por operadora', type: 'clusteredBarChart' },
    { name: 'especialidade', title: 'Por especialidade', type: 'tableEx' },
    { name: 'escolha', title: 'Operadora', type: 'slicer' },
    { name: 'um_sexo', title: 'Sexo', type: 'slicer' },
    { name: 'ir', title: 'Ir à outra', type: 'actionButton' },
    { name: 'cnu', title: 'Ver a CNU', type: 'actionButton' },
  ]
  const onVisual = (visual: string) => `POST /reports/${uid}/pages/uma/visuals/${visual}/events`
  const told = (event: string, sent: unknown = {}) => [`POST /reports/${uid}/events/${event}`, sent]
  const drawn = shown.map((visual) => [`${onVisual(visual.name)}/visualRendered`, visual])
  expect(loadEvents.map(({ asked, sent }) => [asked, sent])).toEqual([
    [`POST /ready/${uid}`, {}],
    told('loaded', { initiator: 'sdk' }),
    told('renderingStarted'),
    ...drawn,
    told('rendered'),
  ])

  await browserPage.evaluate(
    async ({ cnu, santaCasa, accessToken }) => {
      const { report } = stock
      const drawn = (call: () => unknown) => stock.during(call, 'rendered')
      await report.getPages()
      await drawn(() => report.setFilters([cnu]))
      await report.getFilters()
      await drawn(() => report.updateFilters(2, [santaCasa]))
      await drawn(() => report.removeFilters())
      const uma = report.page('uma')
      await drawn(() => uma.setFilters([cnu]))
      await uma.getFilters()
      await drawn(() => uma.removeFilters())
      await report.updateSettings({ panes: { filters: { visible: false } } })
      await report.setZoom(2)
      await report.getZoom()
      await report.setZoom(1)
      await report.setAccessToken(accessToken)
      await drawn(() => report.refresh())
      await drawn(() => report.resetPersistentFilters())
      await report.isSaved()
      await report.getCorrelationId()
    },
    { cnu, santaCasa, accessToken },
  )
  const answers = (await answersInFull()).slice(loadAnswers.length)
  expect(answers.map(({ asked, answer }) => [asked, answer])).toEqual([
    ['GET /report/pages', ok([page('uma', 'Uma', true), page('outra', 'Outra', false)])],
    ['PUT /report/filters', accepted],
    ['GET /report/filters', ok([cnu])],
    ['POST /report/filters', accepted],
    ['POST /report/filters', accepted],
    ['PUT /report/pages/uma/filters', accepted],
    ['GET /report/pages/uma/filters', ok([cnu])],
    ['POST /report/pages/uma/filters', accepted],
    ['PATCH /report/settings', accepted],
    ['PATCH /report/settings', accepted],
    ['GET /report/zoom', ok(2)],
    ['PATCH /report/settings', accepted],
    ['POST /report/token', accepted],
    ['POST /report/refresh', accepted],
    ['DELETE /report/userState', accepted],
    ['GET /report/hasUnsavedChanges', ok(false)],
    ['GET /getCorrelationId', ok(protocolReport.id)],
  ])
  const isFilters = ({ asked }: { asked: string }) => asked.endsWith('/filtersApplied')
  const onPage = `POST /reports/${uid}/pages/uma/events/filtersApplied`
  expect(
    (await announcementsInFull()).filter(isFilters).map(({ asked, sent, answer }) => [asked, sent, answer]),
  ).toEqual([
    [...told('filtersApplied', { filters: [cnu] }), ok(null)],
    [...told('filtersApplied', { filters: [cnu, santaCasa] }), ok(null)],
    [...told('filtersApplied', { filters: [] }), ok(null)],
    [onPage, { filters: [cnu] }, ok(null)],
    [onPage, { filters: [] }, ok(null)],
    [...told('filtersApplied', { filters: [] }), ok(null)],
  ])

  const before = (await announcementsInFull()).length
  const bars = frame.locator('[data-name=operadora] canvas')
  const { width } = (await bars.boundingBox()) ?? { width: 0 }
  const picked = browserPage.evaluate(() => stock.during(() => undefined, 'rendered'))
  await bars.click({ position: { x: width / 2, y: FIRST_BAR } })
  await picked
  await browserPage.evaluate(() => stock.during(() => stock.report.setPage('outra'), 'rendered'))
  const events = (await announcementsInFull()).slice(before).map(({ asked, sent }) => [asked, sent])
  const [[, count] = []] = (await dataOf(frame)).quem ?? []
  const quem = { name: 'quem', title: 'Quem', type: 'tableEx' }
  const target = { table: 'Sinistralidade', column: 'operadora' }
  const point = {
    identity: [{ target, equals: 'BRADESCO' }],
    values: [
      { target: { table: 'operadora', column: 'n' }, value: expect.any(Number), formattedValue: count },
    ],
  }
  const about = {
    report: { id: protocolReport.id, displayName: protocolReport.name },
    page: { name: 'uma', displayName: 'Uma' },
    visual: shown[0],
  }
  expect(events).toEqual([
    told('renderingStarted'),
    told('dataSelected', { ...about, filters: [], dataPoints: [point], regions: [] }),
    told('visualClicked', { ...about, dataPoints: [point] }),
    [`${onVisual('especialidade')}/visualRendered`, shown[1]],
    ...drawn.slice(2),
    told('rendered'),
    told('pageChanged', {
      newPage: { name: 'outra', displayName: 'Outra' },
      oldPage: { name: 'uma', displayName: 'Uma' },
    }),
    told('renderingStarted'),
    [`POST /reports/${uid}/pages/outra/visuals/quem/events/visualRendered`, quem],
    told('rendered'),
  ])
})
