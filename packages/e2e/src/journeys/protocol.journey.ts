import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { protocolReport } from '../protocol-report.ts'
import { dataOf } from '../report-frame.ts'
import { launchStockBrowser, namesIn, openStockPage, reportFrame } from '../stock-page.ts'
import { microsoftLikeHost, type StockService, startStockService } from '../stock-service.ts'

/*
 * The portal teaches powerbi-client one more origin; here nobody does: the client is Microsoft's as published, the report
 * service and its data are real. Each row of the message table is shown by a test, failures included:
 *
 * handshake, embed, load/render, bootstrap     here: 'embed'
 * getPages, setPage, page visuals, layouts     here: 'pages'
 * updateSettings, setZoom, getZoom             here: 'settings'
 * refresh, print, fullscreen                   here: 'the report as a whole'
 * getFilters … removeFilters, of page, visual  protocol-filters.journey.ts
 * resetPersistentFilters                       protocol-filters.journey.ts
 * setAccessToken, tokens that end              protocol-limits.journey.ts: 'a new token', 'a token that ends'
 * 409 before the load, 501 to the unknown      protocol-limits.journey.ts: 'a call that cannot be served'
 * messages of strangers                        protocol-limits.journey.ts: 'a stranger'
 * bookmarks, slicers, theme, moves of visuals  protocol-reader.journey.ts
 * exportData, phone layout                     protocol-reader.journey.ts
 * visualRendered, dataSelected                 here
 * the bodies of answers and events             here: 'exactly'; of refusals: protocol-limits.journey.ts
 * visualClicked, buttonClicked, swipes,
 * bookmarkApplied                              protocol-reader.journey.ts: 'what a reader does'
 */

let browser: Browser
let service: StockService
beforeAll(async () => {
  service = await startStockService()
  browser = await launchStockBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})
const open = () => openStockPage(browser, service)

describe('embed', () => {
  test('shakes hands, loads and draws: 202 first, then the events in order', async () => {
    const { embed, answers, announcements, configuration } = await open()
    expect(new URL((await configuration()).embedUrl).hostname).toBe(microsoftLikeHost)
    const { frame, heard } = await embed()
    expect(heard.map(([name]) => name)).toEqual(['loaded', 'renderingStarted', 'rendered'])
    expect((await answers()).toSorted()).toEqual(['POST /frontload/config 202', 'POST /report/load 202'])
    const uid = new URL(frame.url()).searchParams.get('uid')
    await expect
      .poll(announcements)
      .toEqual([
        `POST /ready/${uid} 200`,
        `POST /reports/${uid}/events/loaded 200`,
        `POST /reports/${uid}/events/renderingStarted 200`,
        `POST /reports/${uid}/events/rendered 200`,
      ])
    const data = await dataOf(frame)
    expect(Object.keys(data).length).toBe(9)
    expect(Object.values(data).every((rows) => rows.length > 0)).toBe(true)
  })

  test('opens the page, filters and settings that the configuration asks for', async () => {
    const { page, embed } = await open()
    const { frame } = await embed({
      pageName: 'maiores',
      filters: [
        {
          $schema: 'http://powerbi.com/product/schema#basic',
          target: { table: 'Sinistralidade', column: 'operadora' },
          filterType: 1,
          operator: 'In',
          values: ['CNU'],
        },
      ],
      settings: { panes: { filters: { visible: false }, pageNavigation: { visible: false } } },
    })
    const { lista = [] } = await dataOf(frame)
    expect(new Set(lista.map(([, operadora]) => operadora))).toEqual(new Set(['CNU']))
    expect(await page.evaluate(async () => (await stock.report.getActivePage()).name)).toBe('maiores')
    expect(await frame.getByRole('tablist').isVisible()).toBe(false)
    expect(await frame.getByRole('button', { name: /^Filtros/ }).isVisible()).toBe(false)
  })

  test('tells of every visual when asked to', async () => {
    const { embed } = await open()
    const { heard } = await embed({ settings: { visualRenderedEvents: true } })
    expect(heard.filter(([name]) => name === 'visualRendered')).toHaveLength(9)
  })

  test('in phases: prepared it is loaded but not drawn, until render', async () => {
    const { page, configuration, answers } = await open()
    const loaded = await page.evaluate(
      async (configuration) => {
        const prepare = () => stock.watch(powerbi.load(stock.element(), configuration))
        await stock.during(prepare, 'loaded')
        await stock.report.getPages()
        return stock.heard
      },
      await configuration(),
    )
    expect(loaded.map(([name]) => name)).toEqual(['loaded'])
    expect(await dataOf(reportFrame(page))).toEqual({})
    const rendered = await page.evaluate(() => stock.during(() => stock.report.render(), 'rendered'))
    expect(rendered.map(([name]) => name)).toEqual(['renderingStarted', 'rendered'])
    expect(Object.keys(await dataOf(reportFrame(page)))).toHaveLength(9)
    expect((await answers()).toSorted()).toEqual([
      'GET /report/pages 200',
      'POST /frontload/config 202',
      'POST /report/prepare 202',
      'POST /report/render 202',
    ])
  })

  test('after bootstrap: the frame is there without a load, and is the one then used', async () => {
    const { page, configuration, untilReady, answers } = await open()
    const complete = await configuration()
    await page.evaluate(({ embedUrl }) => {
      powerbi.bootstrap(stock.element(), { type: 'report', embedUrl })
      Object.assign(globalThis, { bootstrapped: stock.element().querySelector('iframe') })
    }, complete)
    await untilReady()
    expect(await answers()).toEqual([])
    const sameFrame = await page.evaluate(async (configuration) => {
      const embed = () => stock.watch(powerbi.embed(stock.element(), configuration))
      await stock.during(embed, 'rendered')
      return stock.element().querySelector('iframe') === Reflect.get(globalThis, 'bootstrapped')
    }, complete)
    expect(sameFrame).toBe(true)
    expect(page.frames()).toHaveLength(2)
    expect(await answers()).toEqual(['POST /report/load 202'])
  })

  test('after preload: the frame was fetched in silence, and the report opens as ever', async () => {
    const { page, configuration, embed } = await open()
    await page.evaluate(
      ({ embedUrl }) =>
        new Promise((resolve) => {
          powerbi.preload({ type: 'report', embedUrl }).addEventListener('preloaded', resolve)
        }),
      await configuration(),
    )
    expect(await page.evaluate(() => stock.messages)).toEqual([])
    await page.evaluate(() => document.querySelector('iframe')?.remove())
    const { heard } = await embed()
    expect(heard.map(([name]) => name)).toEqual(['loaded', 'renderingStarted', 'rendered'])
  })

  test('again into the same element: another report, in the same frame, under its new uid', async () => {
    const { page, embed, announcements } = await open()
    const { frame } = await embed()
    const before = Object.keys(await dataOf(frame))
    const first = await page.evaluate(() => stock.report.config.uniqueId)
    const { heard } = await embed({}, 'Perfil populacional')
    const second = await page.evaluate(() => stock.report.config.uniqueId)
    expect(second).not.toBe(first)
    expect(heard.map(([name]) => name)).toEqual(['loaded', 'renderingStarted', 'rendered'])
    expect((await announcements()).at(-1)).toContain(`/reports/${second}/events/rendered`)
    expect(page.frames()).toHaveLength(2)
    expect(Object.keys(await dataOf(frame))).toContain('piramide')
    expect(before).not.toContain('piramide')
  })

  test('twice at once: each report hears of itself alone', async () => {
    const { page, configuration } = await open()
    const result = await page.evaluate(
      async ([one, other]) => {
        await stock.during(() => stock.watch(powerbi.embed(stock.element(), one)), 'rendered')
        const { report: first, heard: ofFirst } = stock
        await stock.during(() => stock.watch(powerbi.embed(stock.element('second'), other)), 'rendered')
        ofFirst.length = 0
        await stock.during(() => stock.report.setPage('movimentacao'), 'rendered')
        await first.getPages()
        const active = await Promise.all([first.getActivePage(), stock.report.getActivePage()])
        return {
          ofFirst,
          ofSecond: stock.heard.map(([name]) => name),
          active: active.map(({ name }) => name),
        }
      },
      [await configuration(), await configuration('Perfil populacional')] as const,
    )
    expect(result).toEqual({
      ofFirst: [],
      ofSecond: ['pageChanged', 'renderingStarted', 'rendered'],
      active: ['visao_geral', 'movimentacao'],
    })
  })

  test('ends with reset, which takes the frame away', async () => {
    const { page, embed } = await open()
    await embed()
    await page.evaluate(() => powerbi.reset(stock.element()))
    expect(await page.locator('iframe').count()).toBe(0)
    await embed()
    expect(await page.locator('iframe').count()).toBe(1)
  })
})

describe('pages', () => {
  test('are listed, and one is active', async () => {
    const { page, embed, answers } = await open()
    await embed()
    const listed = await page.evaluate(async () => ({
      pages: (await stock.report.getPages()).map(({ name, displayName, isActive }) => [
        name,
        displayName,
        isActive,
      ]),
      active: (await stock.report.getActivePage()).name,
      byName: (await stock.report.getPageByName('maiores')).displayName,
    }))
    expect(listed).toEqual({
      pages: [
        ['visao_geral', 'Visão geral', true],
        ['hospitais', 'Hospitais', false],
        ['maiores', expect.any(String), false],
      ],
      active: 'visao_geral',
      byName: listed.pages[2]?.[1],
    })
    expect((await answers()).slice(2)).toEqual(Array(3).fill('GET /report/pages 200'))
  })

  test('are turned by setPage and setActive, with pageChanged and new data', async () => {
    const { page, embed, answers } = await open()
    const { frame } = await embed()
    const heard = await page.evaluate(() => stock.during(() => stock.report.setPage('hospitais'), 'rendered'))
    expect(heard).toMatchObject([
      ['pageChanged', { newPage: { name: 'hospitais', displayName: 'Hospitais' } }],
      ['renderingStarted', {}],
      ['rendered', {}],
    ])
    expect(Object.keys(await dataOf(frame))).toEqual(expect.arrayContaining(['custo_hospital', 'diaria']))
    const back = await page.evaluate(async () => {
      const [first] = await stock.report.getPages()
      return stock.during(() => first?.setActive(), 'rendered')
    })
    expect(back[0]).toMatchObject(['pageChanged', { newPage: { name: 'visao_geral' } }])
    expect(Object.keys(await dataOf(frame))).toContain('por_especialidade')
    expect((await answers()).filter((exchange) => exchange.includes('active'))).toEqual(
      Array(2).fill('PUT /report/pages/active 202'),
    )
  })

  test('that do not exist are refused, and the active one stays', async () => {
    const { page, embed, answers } = await open()
    await embed()
    const { refusal, active, heard } = await page.evaluate(async () => {
      stock.heard.length = 0
      const refusal = await stock.refusal(stock.report.setPage('nenhuma'))
      return { refusal, active: (await stock.report.getActivePage()).name, heard: stock.heard }
    })
    expect(refusal.message).toBe('PowerBIEntityNotFound')
    expect(active).toBe('visao_geral')
    expect(heard).toEqual([])
    expect(await answers()).toContain('PUT /report/pages/active 404')
  })

  test('list their visuals, and know their layouts', async () => {
    const { page, embed, answers } = await open()
    const { frame } = await embed()
    const { visuals, phone } = await page.evaluate(async () => {
      const active = await stock.report.getActivePage()
      const visuals = await active.getVisuals()
      const phone = await active.hasLayout(2)
      return {
        visuals: visuals.map(({ name, title, type, layout }) => ({ name, title, type, layout })),
        phone,
      }
    })
    expect(visuals.map(({ name }) => name).sort()).toEqual(Object.keys(await dataOf(frame)).sort())
    expect(visuals.find(({ name }) => name === 'por_especialidade')).toMatchObject({
      title: 'Custo por especialidade',
      type: 'bar',
      layout: { width: expect.any(Number), height: expect.any(Number) },
    })
    expect(phone).toBe(true)
    expect(await answers()).toContain('GET /report/pages/visao_geral/visuals 200')
  })
})

test('a click on a bar is told as dataSelected, and a second one takes it back', async () => {
  const { page, embed } = await open()
  const { frame } = await embed()
  const [first] = await namesIn(frame, 'por_especialidade')
  const bars = frame.locator('[data-name=por_especialidade] canvas')
  const { width } = (await bars.boundingBox()) ?? { width: 0 }
  const click = async () => {
    const selected = page.evaluate(() => stock.during(() => undefined, 'dataSelected'))
    await bars.click({ position: { x: width / 2, y: FIRST_BAR } })
    return (await selected).filter(([name]) => name === 'dataSelected')
  }
  expect(await click()).toMatchObject([
    [
      'dataSelected',
      {
        page: { name: 'visao_geral' },
        visual: { name: 'por_especialidade' },
        dataPoints: [
          { identity: [{ target: { table: 'Sinistralidade', column: 'especialidade' }, equals: first }] },
        ],
      },
    ],
  ])
  expect(await click()).toMatchObject([['dataSelected', { dataPoints: [] }]])
})
/** Pixels below the upper edge of a bar chart. */
const FIRST_BAR = 20

describe('settings', () => {
  test('show and hide the panes at once, without drawing anew', async () => {
    const { page, embed, answers } = await open()
    const { frame } = await embed()
    const tabs = frame.getByRole('tablist')
    const filters = frame.getByRole('button', { name: /^Filtros/ })
    const show = (filters: boolean, pageNavigation: boolean) =>
      page.evaluate(
        async ([filters, pageNavigation]) => {
          stock.heard.length = 0
          await stock.report.updateSettings({
            panes: { filters: { visible: filters }, pageNavigation: { visible: pageNavigation } },
          })
          return stock.heard
        },
        [filters, pageNavigation] as const,
      )
    expect([await tabs.isVisible(), await filters.isVisible()]).toEqual([true, true])
    expect(await show(false, true)).toEqual([])
    expect([await tabs.isVisible(), await filters.isVisible()]).toEqual([true, false])
    expect(await show(true, false)).toEqual([])
    expect([await tabs.isVisible(), await filters.isVisible()]).toEqual([false, true])
    expect(await answers()).toContain('PATCH /report/settings 202')
  })

  test('zoom from 0.25 to 4, and no further', async () => {
    const { page, embed, answers } = await open()
    const { frame } = await embed()
    const width = () => frame.locator('.canvas').evaluate((canvas) => canvas.getBoundingClientRect().width)
    const zoom = (level: number) =>
      page.evaluate(async (level) => {
        await stock.report.setZoom(level)
        return stock.report.getZoom()
      }, level)
    const whole = await width()
    expect(await zoom(2)).toBe(2)
    expect((await width()) / whole).toBeCloseTo(2, 1)
    expect(await zoom(0.25)).toBe(0.25)
    expect(await zoom(4)).toBe(4)
    for (const beyond of [0.24, 4.01]) {
      const { message } = await page.evaluate((level) => stock.refusal(stock.report.setZoom(level)), beyond)
      expect(message).toBe('InvalidParameters')
    }
    expect(await page.evaluate(() => stock.report.getZoom())).toBe(4)
    expect(await answers()).toEqual(
      expect.arrayContaining([
        'GET /report/zoom 200',
        'PATCH /report/settings 202',
        'PATCH /report/settings 400',
      ]),
    )
  })
})

describe('the report as a whole', () => {
  test('is refreshed: its data is asked for and drawn again', async () => {
    const { page, embed, answers } = await open()
    const { frame } = await embed()
    const before = await dataOf(frame)
    const asked = page.waitForResponse((response) => response.url().endsWith('/data'))
    const heard = await page.evaluate(() => stock.during(() => stock.report.refresh(), 'rendered'))
    expect((await asked).status()).toBe(200)
    expect(heard.map(([name]) => name)).toEqual(['renderingStarted', 'rendered'])
    expect(await dataOf(frame)).toEqual(before)
    expect(await answers()).toContain('POST /report/refresh 202')
  })

  test('is printed from within its frame', async () => {
    const { page, embed, answers } = await open()
    const { frame } = await embed()
    await frame.evaluate(() => {
      window.print = () => Object.assign(globalThis, { wasPrinted: true })
    })
    await page.evaluate(() => stock.report.print())
    await expect.poll(() => frame.evaluate(() => Reflect.get(globalThis, 'wasPrinted'))).toBe(true)
    expect(await answers()).toContain('POST /report/print 202')
  })

  test('fills the screen and comes back, with no message at all', async () => {
    const { page, embed, answers } = await open()
    await embed()
    const before = await answers()
    const fills = () => page.evaluate(() => document.fullscreenElement?.tagName)
    await page.evaluate(() => stock.report.fullscreen())
    await expect.poll(fills).toBe('IFRAME')
    await page.evaluate(() => stock.report.exitFullscreen())
    await expect.poll(fills).toBeUndefined()
    expect(await answers()).toEqual(before)
  })
})

describe('exactly', () => {
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

  test('what calls are answered and events carry, field by field, as in the capture of the protocol', async () => {
    const { page: browserPage, embed, configuration, answersInFull, announcementsInFull } = await open()
    const { accessToken } = await configuration(protocolReport.name)
    const { frame } = await embed({ settings: { visualRenderedEvents: true } }, protocolReport.name)
    const uid = new URL(frame.url()).searchParams.get('uid')
    const [loadAnswers, loadEvents] = [await answersInFull(), await announcementsInFull()]
    expect(loadAnswers.map(({ asked, answer }) => [asked, answer]).toSorted()).toEqual([
      ['POST /frontload/config', accepted],
      ['POST /report/load', accepted],
    ])
    const shown = [
      { name: 'operadora', title: 'Por operadora', type: 'bar' },
      { name: 'especialidade', title: 'Por especialidade', type: 'table' },
      { name: 'escolha', title: 'Operadora', type: 'slicer' },
      { name: 'um_sexo', title: 'Sexo', type: 'slicer' },
      { name: 'ir', title: 'Ir à outra', type: 'button' },
      { name: 'cnu', title: 'Ver a CNU', type: 'button' },
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
    const quem = { name: 'quem', title: 'Quem', type: 'table' }
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
})
