import { describe, expect, test } from 'vitest'
import { dataOf } from '../../browser/report-frame.ts'
import { FIRST_BAR, namesIn, stockPages } from '../../stock/stock-page.ts'

/*
 * Calls of Microsoft's unmodified client on a rendered report: pages, settings, the whole report.
 */

const { openReport: open } = stockPages()

describe('pages', () => {
  test('getPages lists the pages and the active one', async () => {
    const { page, answers } = await open()
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
    expect(await answers()).toEqual(Array(3).fill('GET /report/pages 200'))
  })

  test('setPage and setActive turn the page, with pageChanged and new data', async () => {
    const { page, frame, answers } = await open()
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

  test('the report refuses an unknown page and keeps the active one', async () => {
    const { page, answers } = await open()
    const { refusal, active, heard } = await page.evaluate(async () => {
      stock.heard.length = 0
      const refusal = await stock.refusal(stock.report.setPage('nenhuma'))
      return { refusal, active: (await stock.report.getActivePage()).name, heard: stock.heard }
    })
    expect(refusal.message).toBe('PowerBIEntityNotFound')
    expect(active).toBe('visao_geral')
    expect(heard).toEqual([['error', refusal]])
    expect(await answers()).toContain('PUT /report/pages/active 404')
  })

  test("the report lists a page's visuals and knows its layouts", async () => {
    const { page, frame, answers } = await open()
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
      type: 'clusteredBarChart',
      layout: { width: expect.any(Number), height: expect.any(Number) },
    })
    expect(phone).toBe(true)
    expect(await answers()).toContain('GET /report/pages/visao_geral/visuals 200')
  })
})

test('a click on a bar emits dataSelected, and a second one deselects', async () => {
  const { page, frame } = await open()
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

describe('settings', () => {
  test('settings show and hide the panes at once, without rendering again', async () => {
    const { page, frame, answers } = await open()
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

  test('settings zoom between 0.25 and 4', async () => {
    const { page, frame, answers } = await open()
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

describe('the whole report', () => {
  test('refresh requests and renders the data again', async () => {
    const { page, frame, answers } = await open()
    const before = await dataOf(frame)
    const asked = page.waitForResponse((response) => response.url().endsWith('/data'))
    const heard = await page.evaluate(() => stock.during(() => stock.report.refresh(), 'rendered'))
    expect((await asked).status()).toBe(200)
    expect(heard.map(([name]) => name)).toEqual(['renderingStarted', 'rendered'])
    expect(await dataOf(frame)).toEqual(before)
    expect(await answers()).toContain('POST /report/refresh 202')
  })

  test("print prints the frame's document", async () => {
    const { page, frame, answers } = await open()
    await frame.evaluate(() => {
      window.print = () => Object.assign(globalThis, { wasPrinted: true })
    })
    await page.evaluate(() => stock.report.print())
    await expect.poll(() => frame.evaluate(() => Reflect.get(globalThis, 'wasPrinted'))).toBe(true)
    expect(await answers()).toContain('POST /report/print 202')
  })

  test('fullscreen works without any message', async () => {
    const { page, answers } = await open()
    const before = await answers()
    const fills = () => page.evaluate(() => document.fullscreenElement?.tagName)
    await page.evaluate(() => stock.report.fullscreen())
    await expect.poll(fills).toBe('IFRAME')
    await page.evaluate(() => stock.report.exitFullscreen())
    await expect.poll(fills).toBeUndefined()
    expect(await answers()).toEqual(before)
  })
})
