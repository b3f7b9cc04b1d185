import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLAIMS, REPORT, type Service, startService, visual } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { initialState } from '../../embed-page/session/load-options.ts'
import { loadPageData } from '../../embed-page/session/page-data.ts'
import { readPick } from '../../embed-page/state/selection.ts'
import { withEveryDate } from '../../embed-page/view/charts/chart-dates.ts'
import type { ChartVisual } from '../../embed-page/view/charts/chart-series.ts'
import { formatOf } from '../../embed-page/view/style/column-format.ts'
import { formatCell } from '../../embed-page/view/style/format.ts'
import type { Cell, EmbeddedReport, PageData, VisualData } from '../../wire/embed-contract.ts'

/*
 * Numbers that no double holds, values that are not numbers, and days of the dataset's zone, through
 * the calls and the functions of the embed page.
 */

/** Six keys that one double stands for, then zero; the last row has NaN beside an exact decimal. */
const ROWS = `
SELECT CASE WHEN i = 6 THEN 0 ELSE 1234567890123456781 + i END AS chave,
  CAST('-12345678901234567.0' || i AS DECIMAL(38,2)) AS quantia,
  CASE i WHEN 0 THEN 'NaN'::DOUBLE WHEN 1 THEN '-Infinity'::DOUBLE ELSE i END AS taxa,
  make_timestamptz(epoch_us(TIMESTAMPTZ '2024-05-02 15:00:00Z' + INTERVAL 1 DAY * (CASE i % 3 WHEN 0 THEN 0 WHEN 1 THEN 2 ELSE 5 END))) AS em
FROM range(7) r(i), range(2) twice`

const target = (column: string) => ({ table: 'Chaves', column })
const barsOf = (column: string) =>
  visual(
    `barras_${column}`,
    `SELECT ${column} AS nome, count(*) AS n, sum(quantia) AS q FROM Chaves GROUP BY 1 ORDER BY 1`,
    {
      type: 'bar',
      select: { target: target(column), column: 'nome' },
    },
  )
const visuals = [
  barsOf('chave'),
  barsOf('quantia'),
  barsOf('taxa'),
  visual('linhas', 'SELECT chave, quantia, taxa FROM Chaves'),
  visual('dias', "SELECT date_trunc('day', em) AS dia, count(*) AS n FROM Chaves GROUP BY 1 ORDER BY 1", {
    type: 'line',
  }),
]
const report = {
  id: REPORT,
  name: 'Chaves',
  dataset: CLAIMS,
  pages: [{ name: 'Main', displayName: 'Principal', visuals }],
}
let service: Service
let token: string

const start = async (more: object = {}) => {
  const started = await startService({
    files: {
      'datasets/claims/dataset.json': {
        id: CLAIMS,
        name: 'Chaves',
        tables: { Chaves: { file: 'chaves.parquet' } },
        roles: [{ name: 'todos', rows: {} }],
        ...more,
      },
      'datasets/claims/chaves.parquet': await parquetOf(ROWS),
      'workspaces/one/claims.json': report,
    },
  })
  expect((await started.loaded).warnings).toEqual([])
  return started
}
const asking = async (on: Service, as: string, body: object = {}): Promise<PageData> => {
  const answer = await on.embed(as, 'POST', `/reports/${REPORT}/data`, { page: 'Main', filters: [], ...body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const describedBy = async (on: Service, as: string): Promise<EmbeddedReport> =>
  (await on.embed(as, 'GET', `/reports/${REPORT}`)).json()

beforeAll(async () => {
  service = await start()
  token = await service.embedToken(['todos'])
})
afterAll(() => service.stop())

/** The rows as the embed page has them. */
const shownBy = async (name: string): Promise<VisualData> => {
  const state = initialState(await describedBy(service, token), {})
  const api = { pageData: async (_: string, __: string, body: object) => asking(service, token, body) }
  const result = (await loadPageData(api, token, state, new AbortController().signal))[name]
  if (!result || !('rows' in result)) throw new Error(`${name} has no rows`)
  return result
}

test.each([
  ['chave', 7],
  ['quantia', 7],
  ['taxa', 7],
])('a click on each bar of %s keeps exactly its rows', async (column, count) => {
  const described = await describedBy(service, token)
  const shown = described.pages[0]?.visuals.find(({ name }) => name === `barras_${column}`)
  const drawn = await shownBy(`barras_${column}`)
  expect(drawn.rows).toHaveLength(count)
  if (!shown) throw new Error('the visual is missing')
  for (const [index, [name = null]] of drawn.rows.entries()) {
    const pick = readPick(initialState(described, {}), shown, drawn, index)
    if (!pick || !('selects' in pick) || !pick.selects) throw new Error('the bar is not picked')
    const { visual: source, filters } = pick.selects
    const sent = JSON.parse(JSON.stringify({ visual: source, filters }))
    const { rows, notNumbers = [] } = (await asking(service, token, { selection: sent })).visuals
      .linhas as VisualData
    const at = ['chave', 'quantia', 'taxa'].indexOf(column)
    const cells = rows.map((row, place): Cell => {
      const missing = notNumbers.find(([inRow, inColumn]) => inRow === place && inColumn === at)
      return missing ? Number(missing[2]) : (row[at] ?? null)
    })
    expect(cells, String(name)).toEqual([name, name])
  }
})

test('a value that is not a number equals no key, not even zero', async () => {
  const kept = async (column: string, ...values: Cell[]) => {
    const filters = [{ target: target(column), operator: 'In', values, matchCase: true }]
    return (await asking(service, token, { filters, visuals: ['linhas'] })).visuals.linhas?.rows.length
  }
  expect(await kept('chave', 'NaN')).toBe(0)
  expect(await kept('chave', 'Infinity', 0)).toBe(2)
  expect(await kept('quantia', '-Infinity')).toBe(0)
  expect(await kept('taxa', 'NaN', 3)).toBe(4)
})

test('NaN and exact decimals keep their kinds and their texts in one answer', async () => {
  const { visuals: raw } = await asking(service, token)
  expect(raw.barras_taxa?.kinds).toEqual(['number', 'integer', 'number'])
  const { rows } = await shownBy('barras_taxa')
  expect(rows.find(([rate]) => Number.isNaN(rate))).toEqual([Number.NaN, 2, '-24691357802469134'])
  expect(rows.find(([rate]) => rate === Number.NEGATIVE_INFINITY)?.[2]).toBe('-24691357802469134.02')
})

test.each([
  ['America/Sao_Paulo', undefined],
  ['Pacific/Auckland', { timeZone: 'Pacific/Auckland' }],
])('days without instants are gaps on the clock of %s', async (zone, more) => {
  const own = await start(more)
  try {
    const as = await own.embedToken(['todos'])
    const data = (await asking(own, as)).visuals.dias as VisualData
    const described = await describedBy(own, as)
    const line = described.pages[0]?.visuals.find(({ name }) => name === 'dias') as ChartVisual
    const { data: drawn, isUneven } = withEveryDate(line, data)
    const format = formatOf(line, data, 'dia')
    const first = Date.parse(
      new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.UTC(2024, 4, 2, 15)),
    )
    const expected = [6, null, 4, null, null, 4].map((n, index) => [
      new Date(first + index * 86_400_000).toISOString().slice(0, 10).split('-').toReversed().join('/'),
      n,
    ])
    expect(drawn.rows.map(([day, n]) => [formatCell(day, format), n])).toEqual(expected)
    expect(isUneven).toBe(false)
  } finally {
    await own.stop()
  }
})
