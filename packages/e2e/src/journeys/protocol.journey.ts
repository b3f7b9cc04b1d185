import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
