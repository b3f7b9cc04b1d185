import { describe, expect, inject, test } from 'vitest'
import { dataOf, setColorScheme } from '../../browser/report-frame.ts'
import { expectFrameAccessible } from '../../browser/visitor.ts'
import { isIn, operadoras, protocolReport } from '../../stock/protocol-report.ts'
import { FIRST_BAR, stockPages } from '../../stock/stock-page.ts'

/* Reader actions with Microsoft's unmodified client: slicers, theme, layout, data. */

const { openReport } = stockPages()
const open = (options?: object) => openReport(protocolReport.name, options)

test('each state is accessible: presenting, filters open, full screen, empty, failed', async () => {
  const { page, frame } = await open()
  const evaluated = async (state: string) => {
    await expectFrameAccessible(frame, state)
    await setColorScheme(page, frame, 'dark')
    await expectFrameAccessible(frame, `${state}, dark`)
    await setColorScheme(page, frame, 'light')
  }
  await page.evaluate(() => stock.during(() => stock.report.bookmarksManager.play(1), 'rendered'))
  await frame.getByRole('navigation', { name: 'Apresentação de marcadores' }).waitFor()
  await evaluated('presented')
  await page.evaluate(() => stock.report.bookmarksManager.play(0))

  await frame.getByRole('tab', { name: 'Uma' }).click()
  await frame.getByRole('button', { name: /^Filtros/ }).click()
  const pane = frame.getByRole('complementary', { name: 'Filtros' })
  await pane.getByRole('checkbox').first().waitFor()
  await evaluated('filters open')
  await page.evaluate(() => stock.report.fullscreen())
  await page.waitForFunction(() => document.fullscreenElement?.tagName === 'IFRAME')
  await evaluated('on the whole screen')
  await page.evaluate(() => stock.report.exitFullscreen())

  await page.route('**/embed-api/reports/*/data', async (route) => {
    // Only the browser resolves the Microsoft-like host.
    const { pathname } = new URL(route.request().url())
    const answer = await route.fetch({ url: inject('stock').api + pathname })
    const data = await answer.json()
    delete data.visuals.especialidade
    data.failures.especialidade = { code: 'QueryTimeout', message: 'A consulta demorou demais.' }
    await route.fulfill({ response: answer, json: data })
  })
  await page.evaluate(
    (filter) => stock.during(() => stock.report.setFilters([filter]), 'rendered'),
    isIn('operadora', 'NENHUMA'),
  )
  await frame.getByText('Sem dados com o filtro Operadora = NENHUMA').first().waitFor()
  await frame.getByText('Este visual demorou demais.').waitFor()
  await evaluated('empty and failed')
})

test('slicers are read and set, and refuse filters of other columns', async () => {
  const { page, names, answers } = await open()
  const result = await page.evaluate(
    async ({ cnu, sexes, age }) => {
      const active = await stock.report.getActivePage()
      const slicer = await active.getVisualByName('escolha')
      const before = await slicer.getSlicerState()
      const set = () => slicer.setSlicerState({ filters: [cnu] })
      const heard = (await stock.during(set, 'rendered')).map(([name]) => name)
      const after = await slicer.getSlicerState()
      const bar = await active.getVisualByName('operadora')
      const single = await active.getVisualByName('um_sexo')
      const refusals = await Promise.all([
        stock.refusal(slicer.setSlicerState({ filters: [age] })),
        stock.refusal(single.setSlicerState({ filters: [sexes] })),
        stock.refusal(bar.getSlicerState()),
        stock.refusal(bar.setSlicerState({ filters: [] })),
      ])
      return { before, heard, after, refusals: refusals.map(({ message }) => message) }
    },
    {
      cnu: isIn('operadora', 'CNU'),
      sexes: isIn('sexo', 'feminino', 'masculino'),
      age: isIn('faixa_etaria', '19-23'),
    },
  )
  expect(result).toMatchObject({
    before: { filters: [], targets: [{ table: 'Sinistralidade', column: 'operadora' }] },
    heard: ['filtersApplied', 'renderingStarted', 'rendered'],
    after: { filters: [{ values: ['CNU'] }] },
    refusals: ['InvalidFilter', 'InvalidFilter', 'InvalidVisual', 'InvalidVisual'],
  })
  expect(await names('operadora')).toHaveLength(1)
  const address = '/report/pages/uma/visuals/escolha/slicer'
  expect(await answers()).toEqual(
    expect.arrayContaining([`GET ${address} 200`, `PUT ${address} 202`, `PUT ${address} 400`]),
  )
})

test('the load sets slicers', async () => {
  const selector = { $schema: 'http://powerbi.com/product/schema#visualSelector', visualName: 'escolha' }
  const { names } = await open({
    slicers: [{ selector, state: { filters: [isIn('operadora', 'CNU', 'BRADESCO')] } }],
  })
  expect(await names('operadora')).toHaveLength(2)
})

test('a theme is applied, returned and reset', async () => {
  const { page, frame, answers } = await open()
  const colors = () =>
    frame.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.querySelector('.visual') as Element)
      return [backgroundColor, color]
    })
  const picture = () =>
    frame.evaluate(() =>
      document.querySelector<HTMLCanvasElement>('[data-name=operadora] canvas')?.toDataURL(),
    )
  const [house, housePicture] = [await colors(), await picture()]
  const told = await page.evaluate(async () => {
    const before = await stock.report.getTheme()
    const themeJson = {
      name: 'Empresa',
      dataColors: ['#c00000'],
      background: '#102030',
      foreground: '#f0f0f0',
    }
    await stock.report.applyTheme({ themeJson })
    return { before, after: await stock.report.getTheme() }
  })
  expect(told).toMatchObject({
    before: { themeJson: { name: 'BI Manager', background: '#ffffff' } },
    after: { themeJson: { name: 'Empresa', dataColors: ['#c00000'], background: '#102030' } },
  })
  expect(await colors()).toEqual(['rgb(16, 32, 48)', 'rgb(240, 240, 240)'])
  expect(await picture()).not.toBe(housePicture)
  const refusal = await page.evaluate(() =>
    stock.refusal(stock.report.applyTheme({ themeJson: { background: 'javascript:1' } } as never)),
  )
  expect(refusal.message).toBe('InvalidParameters')
  await page.evaluate(() => stock.report.resetTheme())
  expect(await colors()).toEqual(house)
  await expect.poll(picture).toBe(housePicture)
  expect((await answers()).filter((exchange) => exchange.includes('theme'))).toEqual([
    'GET /report/theme 200',
    'PUT /report/theme 202',
    'GET /report/theme 200',
    'PUT /report/theme 400',
    'PUT /report/theme 202',
  ])
})

test('visuals are moved, resized and hidden', async () => {
  const { page, frame } = await open()
  const canvas = frame.locator('.canvas')
  const place = async (name: string) => {
    const [whole, own] = await Promise.all([
      canvas.boundingBox(),
      frame.locator(`[data-name=${name}]`).boundingBox(),
    ])
    if (!whole || !own) return undefined
    const unit = whole.width / 1280
    return [own.x - whole.x, own.y - whole.y, own.width, own.height].map((size) => Math.round(size / unit))
  }
  const layouts = await page.evaluate(async () => {
    const active = await stock.report.getActivePage()
    const visual = await active.getVisualByName('operadora')
    await visual.moveVisual(100, 200, 3)
    await visual.resizeVisual(300, 150)
    await active.setVisualDisplayState('especialidade', 1)
    return (await active.getVisuals()).map(({ name, layout }) => [name, layout])
  })
  expect(Object.fromEntries(layouts)).toMatchObject({
    operadora: { x: 100, y: 200, z: 3, width: 300, height: 150 },
    especialidade: { displayState: { mode: 1 } },
  })
  expect(await place('operadora')).toMatchObject([100, expect.any(Number), 300, expect.any(Number)])
  expect(await frame.locator('[data-name=especialidade]').isVisible()).toBe(false)
  const refusal = await page.evaluate(async () => {
    const visual = await (await stock.report.getActivePage()).getVisualByName('operadora')
    return stock.refusal(visual.moveVisual(-5, 0))
  })
  expect(refusal.message).toBe('InvalidParameters')
})

test('a page fits its frame, its width, or neither, as configured', async () => {
  const { page, frame } = await open()
  // Flat enough that a page as wide as the frame is taller than it.
  const stage = { width: 1000, height: 520 }
  await frame.frameElement().then((element) =>
    element.evaluate((iframe, { width, height }) => {
      const { style } = iframe as HTMLElement
      style.width = `${width}px`
      style.height = `${height}px`
    }, stage),
  )
  const size = () =>
    frame.evaluate(() => {
      const { width = 0, height = 0 } = document.querySelector('.canvas')?.getBoundingClientRect() ?? {}
      return { width: Math.round(width), height: Math.round(height) }
    })
  const fit = (displayOption: number) =>
    page.evaluate((customLayout) => stock.report.updateSettings({ layoutType: 1, customLayout }), {
      displayOption,
    })
  await fit(1)
  await expect.poll(size).toEqual({ width: 1000, height: Math.round((1000 * 720) / 1280) })
  await fit(2)
  await expect.poll(size).toEqual({ width: 1280, height: 720 })
  await fit(0)
  // Not below the tabs.
  const beyondTabs = () =>
    frame.evaluate(() => {
      const [page, tabs] = ['.canvas', '[role=tablist]'].map((part) => document.querySelector(part))
      return (page?.getBoundingClientRect().bottom ?? 0) - (tabs?.getBoundingClientRect().top ?? 0)
    })
  await expect.poll(async () => Math.abs(await beyondTabs())).toBeLessThan(8)
  expect((await size()).width).toBe(stage.width)
})

test("the client exports a visual's summarised data", async () => {
  const { page, frame } = await open()
  const shown = (await dataOf(frame)).operadora ?? []
  const result = await page.evaluate(async () => {
    const active = await stock.report.getActivePage()
    const visual = await active.getVisualByName('operadora')
    const button = await active.getVisualByName('ir')
    const refused = async (call: unknown) => (await stock.refusal(call as Promise<unknown>)).message
    const refusals = await Promise.all([
      refused(visual.exportData(1, 30_001)),
      refused(visual.exportData(0, 30_001)),
      refused(button.exportData(0)),
    ])
    return {
      all: (await visual.exportData(0)).data,
      two: (await visual.exportData(0, 2)).data,
      refusals,
    }
  })
  const lines = result.all.split('\r\n')
  expect(lines[0]).toBe('operadora,"Quantos, ao todo"')
  expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(operadoras)
  expect(shown).toHaveLength(operadoras.length)
  expect(result.two.trim().split('\r\n')).toEqual(lines.slice(0, 3))
  expect(result.refusals).toEqual(['InvalidParameters', 'InvalidParameters', 'InvalidVisual'])
})

describe('events of reader actions', () => {
  test('visualClicked, dataSelected that filters other visuals, and buttonClicked are emitted', async () => {
    const { page, frame, names } = await open()
    const whole = await names('especialidade')
    const clicked = page.evaluate(() => stock.during(() => undefined, 'visualClicked'))
    await frame.locator('[data-name=especialidade] h2').click()
    expect(await clicked).toMatchObject([
      [
        'visualClicked',
        {
          page: { name: 'uma' },
          visual: { name: 'especialidade', title: 'Por especialidade', type: 'tableEx' },
        },
      ],
    ])

    const bars = frame.locator('[data-name=operadora] canvas')
    const { width } = (await bars.boundingBox()) ?? { width: 0 }
    const picked = page.evaluate(() => stock.during(() => undefined, 'rendered'))
    await bars.click({ position: { x: width / 2, y: FIRST_BAR } })
    const heard = await picked
    expect(heard.map(([name]) => name)).toEqual(expect.arrayContaining(['dataSelected', 'visualClicked']))
    const narrowed = (await dataOf(frame)).especialidade
    // The visual with the selection keeps all of its data points.
    expect(await names('operadora')).toHaveLength(operadoras.length)
    await page.evaluate(() => stock.during(() => stock.report.clearSelectedVisuals(), 'rendered'))
    expect((await dataOf(frame)).especialidade).not.toEqual(narrowed)
    expect(await names('especialidade')).toEqual(whole)

    const pressed = page.evaluate(() => stock.during(() => undefined, 'rendered'))
    await frame.getByRole('button', { name: 'Ver a CNU' }).click()
    expect(
      (await pressed).filter(([name]) => name === 'buttonClicked' || name === 'bookmarkApplied'),
    ).toEqual([
      ['buttonClicked', { id: 'cnu', title: 'Ver a CNU', type: 'Bookmark', bookmark: 'so_cnu' }],
      ['bookmarkApplied', { bookmarkName: 'so_cnu' }],
    ])
    expect(await page.evaluate(async () => (await stock.report.getActivePage()).name)).toBe('outra')
  })

  test('the phone layout stacks the visuals and emits swipe events', async () => {
    const { page, frame } = await open({ settings: { layoutType: 2 } })
    expect(await frame.locator('.canvas.phone').count()).toBe(1)
    const heard = page.evaluate(() => stock.during(() => undefined, 'swipeEnd'))
    await frame.evaluate(() => {
      const target = document.querySelector('.visual') ?? document.body
      const touch = (x: number) => new Touch({ identifier: 1, target, clientX: x, clientY: 100 })
      const swipe = (type: string, x: number, lists: string) =>
        target.dispatchEvent(new TouchEvent(type, { bubbles: true, [lists]: [touch(x)] }))
      swipe('touchstart', 300, 'touches')
      swipe('touchend', 100, 'changedTouches')
    })
    expect(await heard).toEqual([
      ['swipeStart', { startPosition: { x: 300, y: 100 }, currentPosition: { x: 300, y: 100 } }],
      ['swipeEnd', { startPosition: { x: 300, y: 100 }, currentPosition: { x: 100, y: 100 } }],
    ])
  })
})
