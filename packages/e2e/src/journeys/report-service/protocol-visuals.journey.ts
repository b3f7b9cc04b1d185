import { describe, expect, test } from 'vitest'
import { operadoras, protocolReport } from '../../stock/protocol-report.ts'
import { namesIn, type StockPage, stockPages } from '../../stock/stock-page.ts'

/* What Microsoft's unmodified client does with one visual: its filters, its order, its rows. */

const { openReport } = stockPages()
const open = (options?: object) => openReport(protocolReport.name, options)

const column = (name: string) => ({ table: 'Sinistralidade', column: name })
const schema = (kind: string) => `http://powerbi.com/product/schema#${kind}`

/** Sets the filters of a visual, and returns the filters in force. */
const filterVisual = ({ page }: Pick<StockPage, 'page'>, name: string, filters: object[]) =>
  page.evaluate(
    async ([name, filters]) => {
      const visual = await stock.report.page('uma').getVisualByName(name)
      await stock.during(() => visual.setFilters(filters as never), 'rendered')
      return visual.getFilters()
    },
    [name, filters] as const,
  )

const numbers = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[1]))

test('top N, include and exclude filters restrict one visual', async () => {
  const stockPage = await open()
  const { page, frame } = stockPage
  const csv = await page.evaluate(async () => {
    const visual = await stock.report.page('uma').getVisualByName('operadora')
    return (await visual.exportData(0)).data
  })
  const ranked = operadoras
    .map((name, index) => [name, numbers(csv)[index] ?? 0] as const)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name]) => name)
  const topN = (operator: 'Top' | 'Bottom', itemCount: number) => ({
    $schema: schema('topN'),
    target: column('operadora'),
    filterType: 5,
    operator,
    itemCount,
    orderBy: { ...column('operadora'), aggregationFunction: 'Count' },
  })
  for (const [filter, expected] of [
    [topN('Top', 2), ranked.slice(0, 2)],
    [topN('Bottom', 1), ranked.slice(-1)],
    [
      {
        $schema: schema('includeExclude'),
        target: column('operadora'),
        filterType: 3,
        isExclude: true,
        values: ['CNU'],
      },
      operadoras.filter((name) => name !== 'CNU'),
    ],
    [
      {
        $schema: schema('includeExclude'),
        target: [[column('operadora'), column('sexo')]],
        filterType: 3,
        isExclude: false,
        values: [[[{ value: 'CNU' }, { value: 'feminino' }]]],
      },
      ['CNU'],
    ],
  ] as const) {
    expect(await filterVisual(stockPage, 'operadora', [filter])).toEqual([filter])
    expect(await namesIn(frame, 'operadora')).toEqual(expected.toSorted())
    expect((await namesIn(frame, 'especialidade')).length).toBeGreaterThan(1)
  }
})

test('relative filters follow the clock, on every level', async () => {
  const { page, frame } = await open()
  const period = (operator: number, timeUnitsCount: number, timeUnitType: number) => ({
    $schema: schema(timeUnitType > 6 ? 'relativeTime' : 'relativeDate'),
    target: column('data'),
    filterType: timeUnitType > 6 ? 7 : 4,
    operator,
    timeUnitsCount,
    timeUnitType,
    includeToday: true,
  })
  const shown = async (filter: object) => {
    const inForce = await page.evaluate(async (filter) => {
      await stock.during(() => stock.report.setFilters([filter as never]), 'rendered')
      return stock.report.getFilters()
    }, filter)
    expect(inForce).toEqual([filter])
    return namesIn(frame, 'operadora')
  }
  // The demo's data ends in the past and begins within fifty years.
  expect(await shown(period(0, 50, 5))).toEqual(operadoras)
  expect(await shown(period(2, 2, 6))).toEqual([])
  expect(await shown(period(2, 24, 8))).toEqual([])
  await frame.getByRole('button', { name: /^Filtros/ }).click()
  // The visuals without data name the filter too, with a colon.
  await frame.getByText('data nas próximas 24 horas').waitFor()
  await frame.getByRole('button', { name: 'Fechar filtros' }).click()
})

test('the client refuses filters that a report, or this service, does not have', async () => {
  const { page } = await open()
  const top = {
    target: column('operadora'),
    filterType: 5,
    operator: 'Top',
    itemCount: 1,
    orderBy: { table: 'Sinistralidade', measure: 'Custo' },
  }
  const refusals = await page.evaluate(async (top) => {
    const visual = await stock.report.page('uma').getVisualByName('operadora')
    const { refusal } = stock
    return [
      await refusal(stock.report.setFilters([{ ...top, orderBy: top.target } as never])),
      await refusal(visual.setFilters([top as never])),
    ]
  }, top)
  expect(refusals).toMatchObject([
    { message: 'InvalidFilter', detailedMessage: 'Este tipo de filtro só vale para um visual.' },
    { message: 'InvalidFilter', detailedMessage: expect.stringContaining('não tem medidas') },
  ])
})

test('sortBy orders a visual and its export', async () => {
  const { page, names, answers } = await open()
  const sort = (name: string, column: string, direction: number) =>
    page.evaluate(
      async ([name, column, direction]) => {
        const visual = await stock.report.page('uma').getVisualByName(name)
        const orderBy = { table: 'Sinistralidade', column }
        await stock.during(() => visual.sortBy({ orderBy, direction } as never), 'rendered')
        return (await visual.exportData(0)).data
      },
      [name, column, direction] as const,
    )
  expect((await sort('operadora', 'operadora', 2)).split('\r\n')[1]).toContain('SANTA_CASA')
  expect(await names('operadora')).toEqual(operadoras.toReversed())
  const rising = numbers(await sort('especialidade', 'n', 1))
  expect(rising).toEqual(rising.toSorted((one, other) => one - other))
  expect(rising.length).toBeGreaterThan(2)
  const falling = numbers(await sort('especialidade', 'n', 2))
  expect(falling).toEqual(rising.toReversed())
  const refusal = await page.evaluate(async () => {
    const visual = await stock.report.page('uma').getVisualByName('operadora')
    return stock.refusal(
      visual.sortBy({ orderBy: { table: 'Sinistralidade', column: 'nada' }, direction: 1 }),
    )
  })
  expect(refusal).toMatchObject({
    message: 'InvalidParameters',
    detailedMessage: 'Por operadora não mostra esta coluna.',
  })
  expect(await answers()).toContain('PUT /report/pages/uma/visuals/operadora/sortBy 202')
})

test('the client exports underlying rows within the filters, where the author allows it', async () => {
  const stockPage = await open()
  const { page } = stockPage
  await filterVisual(stockPage, 'operadora', [
    { target: column('operadora'), filterType: 1, operator: 'In', values: ['CNU'] },
  ])
  const { summary, rows } = await page.evaluate(async () => {
    const visual = await stock.report.page('uma').getVisualByName('operadora')
    return { summary: (await visual.exportData(0)).data, rows: (await visual.exportData(1, 5)).data }
  })
  const [heading = '', ...lines] = rows
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(heading).toEqual(expect.arrayContaining(['operadora', 'especialidade', 'sexo']))
  expect(lines).toHaveLength(5)
  const place = [...heading].indexOf('operadora')
  expect(new Set(lines.map((line) => line[place]))).toEqual(new Set(['CNU']))
  expect(numbers(summary)[0]).toBeGreaterThan(5)

  const closed = await openReport()
  const refusal = await closed.page.evaluate(async () => {
    const active = await stock.report.getActivePage()
    return stock.refusal((await active.getVisualByName('por_especialidade')).exportData(1))
  })
  expect(refusal).toMatchObject({ message: 'PowerBINotAuthorizedException' })
})

describe('the mode and the state of a user', () => {
  test('the report switches to viewing only', async () => {
    const { page, answers } = await open()
    await page.evaluate(() => stock.report.switchMode('view'))
    expect(await page.evaluate(() => stock.refusal(stock.report.switchMode('edit')))).toMatchObject({
      message: 'NotImplemented',
    })
    expect(await answers()).toEqual(['POST /report/switchMode/view 202', 'POST /report/switchMode/edit 501'])
  })

  test('the report tells whether persistent filters are applied', async () => {
    const { page } = await open({ settings: { persistentFiltersEnabled: true } })
    const seen = await page.evaluate(async (target) => {
      const { report } = stock
      const seen = [await report.arePersistentFiltersApplied()]
      const filter = { target, filterType: 1, operator: 'In', values: ['CNU'] }
      await stock.during(() => report.setFilters([filter as never]), 'rendered')
      seen.push(await report.arePersistentFiltersApplied())
      await stock.during(() => report.resetPersistentFilters(), 'rendered')
      return [...seen, await report.arePersistentFiltersApplied()]
    }, column('operadora'))
    expect(seen).toEqual([false, true, false])
  })
})
