import { expect, test } from 'vitest'
import { askingOf } from '../../../test/claims-page.ts'
import { visual } from '../../../test/fixture.ts'
import { loadPageData } from '../../embed-page/session/page-data.ts'
import type { ReportState } from '../../embed-page/state/report-state.ts'

const visuals = [
  visual('card', 'SELECT sum(valor) / count(*) FILTER (WHERE id > 9) AS media FROM Claims', { type: 'card' }),
  visual(
    'rows',
    "SELECT id, CASE id WHEN 1 THEN 'NaN'::DOUBLE WHEN 2 THEN 1 / 0 WHEN 3 THEN -1 / 0 ELSE valor END AS x, 'NaN' AS t FROM Claims ORDER BY id",
    { totals: { x: 'sum(x)' } },
  ),
  visual('grid', 'SELECT operadora, valor, id FROM Claims', {
    type: 'matrix',
    matrix: { rows: ['operadora'], values: { m: 'sum(valor) / (max(id) - 4)' } },
  }),
]

test('an answer says which cells are not numbers, since JSON has no form of them', async () => {
  const { data } = await askingOf(visuals)
  const { card, rows, grid } = (await data()).visuals
  expect(card).toMatchObject({ rows: [[null]], notNumbers: [[0, 0, 'Infinity']] })
  expect(rows?.notNumbers).toEqual([
    [0, 1, 'NaN'],
    [1, 1, 'Infinity'],
    [2, 1, '-Infinity'],
    [5, 1, 'NaN'],
  ])
  expect([rows?.rows[0], rows?.totals]).toEqual([
    [1, null, 'NaN'],
    [null, null, null],
  ])
  expect(grid?.rows.map(([name]) => name)[grid.notNumbers?.[0]?.[0] ?? -1]).toBe('CNU')
  // An ordinary answer has no list.
  expect((await data({ visuals: ['grid'], filters: [one(5)] })).visuals.grid).not.toHaveProperty('notNumbers')
})

test('a filter finds the rows whose value is not a number', async () => {
  const { data } = await askingOf([
    visual('n', 'SELECT count(*) AS n FROM Claims'),
    visual('x', 'SELECT DISTINCT valor FROM Claims'),
  ])
  const n = async (...values: unknown[]) => {
    const filter = { target: { table: 'Claims', column: 'valor' }, operator: 'In', values }
    return (await data({ filters: [filter] })).visuals.n?.rows
  }
  expect(await n('NaN')).toEqual([[0]])
  expect(await n('Infinity', 100.5)).toEqual([[1]])
})

test('the embed page gets the numbers back, in rows and totals', async () => {
  const { data } = await askingOf(visuals)
  const page = { name: 'Main', displayName: 'Principal', filters: [], visuals }
  const state = {
    report: { id: 'r', pages: [page] },
    activePage: 'Main',
    drill: {},
    sorts: {},
    visualFilters: {},
    pageFilters: {},
    slicers: {},
    reportFilters: [],
  } as unknown as ReportState
  const api = { pageData: async () => data() }
  const { rows } = await loadPageData(api, 'token', state, new AbortController().signal)
  expect(rows).toMatchObject({
    rows: [
      [1, Number.NaN, 'NaN'],
      [2, Number.POSITIVE_INFINITY, 'NaN'],
      [3, Number.NEGATIVE_INFINITY, 'NaN'],
      [4, 50, 'NaN'],
      [5, 75.25, 'NaN'],
    ],
    totals: [null, Number.NaN, null],
  })
})

const one = (id: number) => ({ target: { table: 'Claims', column: 'id' }, operator: 'In', values: [id] })
