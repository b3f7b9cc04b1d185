import { describe, expect, test } from 'vitest'
import { microsoftLikeHost } from '../../browser/browser.ts'
import { dataOf } from '../../browser/report-frame.ts'
import { reportFrame, stockPages } from '../../stock/stock-page.ts'

/*
 * The portal adds an allowed origin to powerbi-client; these journeys use Microsoft's client as
 * published, with the real report service and data. Each row of the message table has a test:
 *
 * handshake, embed, load/render, bootstrap     here getPages, setPage, page visuals, layouts
 * protocol-calls.journey.ts: 'pages' updateSettings, setZoom, getZoom
 * protocol-calls.journey.ts: 'settings' refresh, print, fullscreen
 * protocol-calls.journey.ts: 'the whole report' getFilters … removeFilters, of page, visual
 * protocol-filters.journey.ts resetPersistentFilters
 * protocol-filters.journey.ts setAccessToken, expired tokens
 * protocol-tokens.journey.ts 409 before the load, 501 for unknown calls
 * protocol-limits.journey.ts: 'a call that cannot be served' messages of foreign windows
 * protocol-limits.journey.ts: 'a foreign window' bookmarks
 * protocol-bookmarks.journey.ts slicers, theme, moves of visuals
 * protocol-reader.journey.ts exportData, phone layout
 * protocol-reader.journey.ts visualRendered                               here dataSelected
 * protocol-calls.journey.ts bodies of answers and events                 protocol-bodies.journey.ts
 * bodies of refusals                           protocol-refusals.journey.ts visualClicked,
 * buttonClicked, swipes, bookmarkApplied                              protocol-reader.journey.ts:
 * 'events of reader actions'
 */

const { openPage: open } = stockPages()

describe('embed', () => {
  test('embed completes the handshake, loads and renders: 202 first, then the events in order', async () => {
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

  test('embed opens the page, filters and settings of the configuration', async () => {
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

  test('embed emits visualRendered for every visual on request', async () => {
    const { embed } = await open()
    const { heard } = await embed({ settings: { visualRenderedEvents: true } })
    expect(heard.filter(([name]) => name === 'visualRendered')).toHaveLength(9)
  })

  test('powerbi.load loads without rendering until render', async () => {
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

  test('embed uses the frame of bootstrap, which sends no load', async () => {
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

  test('preload emits no message, and the report then opens normally', async () => {
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

  test('embed embeds another report into the same element and frame under a new uid', async () => {
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

  test('two reports on a page receive only their own events', async () => {
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

  test('reset removes the frame', async () => {
    const { page, embed } = await open()
    await embed()
    await page.evaluate(() => powerbi.reset(stock.element()))
    expect(await page.locator('iframe').count()).toBe(0)
    await embed()
    expect(await page.locator('iframe').count()).toBe(1)
  })
})
