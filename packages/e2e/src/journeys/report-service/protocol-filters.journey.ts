import { describe, expect, test } from 'vitest'
import { dataOf } from '../../browser/report-frame.ts'
import { isIn } from '../../stock/protocol-report.ts'
import { namesIn, type StockPage, stockPages } from '../../stock/stock-page.ts'

/*
 * Filters of report, page and visual with Microsoft's unmodified client, checked by the rows shown.
 */

const { openPage, openReport } = stockPages()

/** Opens a report with visuals by specialty (`por_especialidade`) and age (`por_faixa`). */
const open = async () => {
  const stockPage = await openReport()
  return { ...stockPage, whole: await dataOf(stockPage.frame) }
}

const advanced = (column: string, ...conditions: { operator: string; value: unknown }[]) => ({
  $schema: 'http://powerbi.com/product/schema#advanced',
  target: { table: 'Sinistralidade', column },
  filterType: 0,
  logicalOperator: 'And' as const,
  conditions,
})

const operations = { RemoveAll: 0, ReplaceAll: 1, Add: 2, Replace: 3 }

type Level = 'report' | 'page' | 'visual'
interface Change {
  level: Level
  call: 'setFilters' | 'updateFilters' | 'removeFilters'
  operation?: number
  filters?: unknown[]
}

/** Calls the report, its active page or a visual (por_especialidade); waits until rendered. */
const change = ({ page }: StockPage, what: Change) =>
  page.evaluate(async ({ level, call, operation = 0, filters = [] }) => {
    const active = await stock.report.getActivePage()
    const owner = {
      report: () => stock.report,
      page: () => active,
      visual: () => active.getVisualByName('por_especialidade'),
    }[level]
    const filterable = await owner()
    const make = {
      setFilters: () => filterable.setFilters(filters as never),
      updateFilters: () => filterable.updateFilters(operation, filters as never),
      removeFilters: () => filterable.removeFilters(),
    }[call]
    const heard = await stock.during(make, 'rendered')
    const inForce = (await filterable.getFilters()) as { target: { column: string } }[]
    return { heard: heard.map(([name]) => name), columns: inForce.map(({ target }) => target.column) }
  }, what)

const names = (rows: string[][] = []) => rows.map(([first = '']) => first)

describe.each([
  { level: 'report', address: '/report/filters' },
  { level: 'page', address: '/report/pages/visao_geral/filters' },
] as const)('filters of the $level', ({ level, address }) => {
  test('set, add, replace and remove change the rows', async () => {
    const stockPage = await open()
    const { frame, whole, answers } = stockPage
    const [first = '', second = ''] = names(whole.por_especialidade)
    const ages = names(whole.por_faixa).at(-1) ?? ''

    const set = await change(stockPage, {
      level,
      call: 'setFilters',
      filters: [isIn('especialidade', first)],
    })
    expect(set).toEqual({
      heard: ['filtersApplied', 'renderingStarted', 'rendered'],
      columns: ['especialidade'],
    })
    expect(await namesIn(frame, 'por_especialidade')).toEqual([first])
    expect((await namesIn(frame, 'por_faixa')).length).toBeGreaterThan(1)

    const update = (operation: number, ...filters: unknown[]) =>
      change(stockPage, { level, call: 'updateFilters', operation, filters })
    const added = await update(operations.Add, isIn('faixa_etaria', ages))
    expect(added.columns).toEqual(['especialidade', 'faixa_etaria'])
    expect([await namesIn(frame, 'por_especialidade'), await namesIn(frame, 'por_faixa')]).toEqual([
      [first],
      [ages],
    ])

    const replaced = await update(operations.Replace, isIn('especialidade', second))
    expect(replaced.columns.toSorted()).toEqual(['especialidade', 'faixa_etaria'])
    expect([await namesIn(frame, 'por_especialidade'), await namesIn(frame, 'por_faixa')]).toEqual([
      [second],
      [ages],
    ])

    const replacedAll = await update(operations.ReplaceAll, isIn('especialidade', first, second))
    expect(replacedAll.columns).toEqual(['especialidade'])
    expect(await namesIn(frame, 'por_especialidade')).toEqual([first, second])

    expect((await change(stockPage, { level, call: 'removeFilters' })).columns).toEqual([])
    expect(await dataOf(frame)).toEqual(whole)
    const exchanges = (await answers()).filter((exchange) => exchange.includes(` ${address} `))
    expect(new Set(exchanges)).toEqual(
      new Set([`PUT ${address} 202`, `POST ${address} 202`, `GET ${address} 200`]),
    )
  })
})

test('an advanced filter restricts the rows', async () => {
  const stockPage = await open()
  const { frame, whole } = stockPage
  expect(names(whole.faixas_permanencia)).toEqual(['1 dia', '2 a 3', '4 a 7', '8 a 14', '15+'])
  const between = advanced(
    'dias',
    { operator: 'GreaterThanOrEqual', value: 2 },
    { operator: 'LessThan', value: 8 },
  )
  await change(stockPage, { level: 'report', call: 'setFilters', filters: [between] })
  expect(await namesIn(frame, 'faixas_permanencia')).toEqual(['2 a 3', '4 a 7'])
  const text = advanced('especialidade', {
    operator: 'StartsWith',
    value: names(whole.por_especialidade)[0]?.slice(0, 5),
  })
  await change(stockPage, { level: 'report', call: 'setFilters', filters: [text] })
  expect(await namesIn(frame, 'por_especialidade')).toEqual([names(whole.por_especialidade)[0]])
})

test("a page's filters do not affect other pages", async () => {
  const stockPage = await open()
  const { page, frame } = stockPage
  const operadoras = async () =>
    new Set(((await dataOf(frame)).lista ?? []).map(([, operadora]) => operadora))
  const turnTo = (name: string) =>
    page.evaluate((name) => stock.during(() => stock.report.setPage(name), 'rendered'), name)
  await change(stockPage, { level: 'page', call: 'setFilters', filters: [isIn('operadora', 'CNU')] })
  await turnTo('maiores')
  expect((await operadoras()).size).toBeGreaterThan(1)
  await change(stockPage, { level: 'page', call: 'setFilters', filters: [isIn('operadora', 'CNU')] })
  expect(await operadoras()).toEqual(new Set(['CNU']))
  expect(await page.evaluate(() => stock.report.getFilters())).toEqual([])
})

test("a visual's filters affect only that visual", async () => {
  const stockPage = await open()
  const { frame, whole, answers } = stockPage
  const [first = ''] = names(whole.por_especialidade)
  const filters = [isIn('especialidade', first)]
  const set = await change(stockPage, { level: 'visual', call: 'setFilters', filters })
  expect(set.columns).toEqual(['especialidade'])
  const filtered = await dataOf(frame)
  expect(names(filtered.por_especialidade)).toEqual([first])
  expect({ ...filtered, por_especialidade: whole.por_especialidade }).toEqual(whole)
  await change(stockPage, { level: 'visual', call: 'removeFilters' })
  expect(await dataOf(frame)).toEqual(whole)
  const address = '/report/pages/visao_geral/visuals/por_especialidade/filters'
  expect(await answers()).toEqual(
    expect.arrayContaining([`PUT ${address} 202`, `GET ${address} 200`, `POST ${address} 202`]),
  )
})

test('resetPersistentFilters restores the published state', async () => {
  const stockPage = await open()
  const { page, frame, whole, answers } = stockPage
  await change(stockPage, { level: 'report', call: 'setFilters', filters: [isIn('sexo', 'feminino')] })
  expect(await dataOf(frame)).not.toEqual(whole)
  await page.evaluate(() => stock.during(() => stock.report.resetPersistentFilters(), 'rendered'))
  expect(await dataOf(frame)).toEqual(whole)
  expect(await page.evaluate(() => stock.report.getFilters())).toEqual([])
  expect(await answers()).toContain('DELETE /report/userState 202')
})

const isAge = (value: number) => ({ operator: 'Is', value })
const refused: [what: string, filters: unknown][] = [
  ['an unknown column', [isIn('inexistente', 'x')]],
  ['an unknown table', [{ ...isIn('x', 'y'), target: { table: '__proto__', column: 'x' } }]],
  ['three conditions', [advanced('idade', isAge(1), isAge(2), isAge(3))]],
  ['101 filters', Array.from({ length: 101 }, () => isIn('sexo', 'feminino'))],
  [
    'a kind that the service does not have',
    [{ target: isIn('sexo').target, filterType: 5, operator: 'Top', itemCount: 3 }],
  ],
  ['no list', 'sexo'],
]

test('the report refuses invalid filters and changes nothing', async () => {
  const { page, frame, whole, answers } = await open()
  for (const [what, filters] of refused) {
    const { refusal, heard, inForce } = await page.evaluate(async (filters) => {
      stock.heard.length = 0
      const refusal = await stock.refusal(stock.report.setFilters(filters as never))
      return { refusal, heard: stock.heard, inForce: await stock.report.getFilters() }
    }, filters)
    expect(refusal, what).toMatchObject({
      message: 'InvalidFilter',
      detailedMessage: expect.stringMatching(/\.$/),
    })
    expect([heard, inForce], what).toEqual([[], []])
    expect(await dataOf(frame), what).toEqual(whole)
  }
  const set = (await answers()).filter((exchange) => exchange.startsWith('PUT /report/filters '))
  expect(set).toEqual(refused.map(() => 'PUT /report/filters 400'))
})

test('a load with an unknown column emits error and never loaded', async () => {
  const { page, configuration } = await openPage()
  const complete = { ...(await configuration()), filters: [isIn('inexistente', 'x')] }
  const { heard, refusal } = await page.evaluate(async (configuration) => {
    const embed = () => stock.watch(powerbi.embed(stock.element(), configuration as never))
    await stock.during(embed, 'error')
    return { refusal: await stock.refusal(stock.report.getPages()), heard: stock.heard }
  }, complete)
  expect(heard).toMatchObject([['error', { message: 'InvalidFilter' }]])
  expect(refusal.message).toBe('ReportNotLoaded')
})
