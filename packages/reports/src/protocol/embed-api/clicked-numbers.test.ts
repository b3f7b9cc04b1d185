import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filesOf, reportOf } from '../../../test/claims-page.ts'
import { CLAIMS, claimsDataset, REPORT, serviceWith, visual } from '../../../test/fixture.ts'
import { initialState } from '../../embed-page/session/load-options.ts'
import { keepValues } from '../../embed-page/state/filters.ts'
import { readPick } from '../../embed-page/state/selection.ts'
import type { EmbeddedReport, EmbeddedVisual, VisualData } from '../../wire/embed-contract.ts'

const target = { table: 'Claims', column: 'operadora' }
const bars = visual('bars', 'SELECT operadora, sum(valor) AS total FROM Claims GROUP BY 1 ORDER BY 1', {
  type: 'bar',
  select: { target, column: 'operadora' },
})
const visuals = [
  bars,
  visual('total', 'SELECT sum(valor) AS total FROM Claims'),
  visual('drill', 'SELECT operadora, id, valor FROM Claims', {
    type: 'bar',
    drill: {
      levels: [
        { column: 'operadora', label: 'Operadora', target },
        { column: 'id', label: 'Sinistro' },
      ],
      values: { total: 'sum(valor)' },
    },
  }),
  visual('grid', 'SELECT operadora, valor FROM Claims', {
    type: 'matrix',
    matrix: { rows: ['operadora'], values: { total: 'sum(valor)' }, subtotals: false },
  }),
]

/** Texts that are equal without case, without accents, or once they are normalised. */
const letters = ['a', 'A', 'á', 'Á', 'a\u0301', 'A\u0301', 'ß', 'ss', 'SS', 'ẞ', 'i', 'I', 'İ', 'ı']
letters.push('Σ', 'σ', 'ς', 'ﬁ', 'fi', ' ', '\u00a0', '\u200b', 'K', 'K', 'x ')
const text = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
  .map((parts) => `n${parts.join('')}`)

const csvOf = (texts: string[]) => {
  const rows = texts.map((name, index) => `${index + 1},"${name}",${2 ** (index % 30)}`)
  return ['id,operadora,valor', ...rows, ''].join('\n')
}

/** Starts a service over these texts, and returns what a reader with the roles is shown. */
const shownOf = async (texts: string[], roles = ['todos'], username = 'ana@x.br') => {
  const dataset = {
    ...claimsDataset,
    id: CLAIMS,
    tables: { ...claimsDataset.tables, Claims: { file: 'claims.csv' } },
    roles: [
      { name: 'todos', rows: {} },
      { name: 'dono', rows: { Claims: 'operadora = $username' } },
      { name: 'quase-todos', rows: { Claims: 'id > 0' } },
    ],
  }
  const service = await serviceWith({
    files: {
      ...filesOf(visuals, { underlyingData: true }),
      'datasets/claims/dataset.json': dataset,
      'datasets/claims/claims.csv': csvOf(texts),
    },
  })
  expect((await service.loaded).warnings).toEqual([])
  const token = await service.embedToken(roles, { username })
  const call = async (path: string, body: object) => {
    const answer = await service.embed(token, 'POST', `/reports/${REPORT}${path}`, body)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const rows = async (name: string, more: object = {}): Promise<VisualData> =>
    (await call('/data', { page: 'Main', filters: [], visuals: [name], ...more })).visuals[name]
  const values = async (more: object = {}) => (await call('/values', { target, ...more })).values
  return { rows, values }
}

const sumOf = ({ columns, rows }: VisualData, column: string) =>
  rows.reduce((sum, row) => sum + Number(row[columns.indexOf(column)]), 0)

/** The state of a page with the bars, as the embed page has it. */
const state = initialState(
  {
    ...reportOf([]),
    bookmarks: [],
    filters: [],
    columns: { Claims: ['id', 'operadora', 'valor'] },
    pages: [{ name: 'Main', displayName: 'Principal', filters: [], visuals: [bars] }],
    expiresAt: 0,
  } as unknown as EmbeddedReport,
  {},
)

/** Clicks each bar, and reads its number in every place that the click narrows. */
const clickAll = async (texts: string[], roles?: string[]) => {
  const { rows, values } = await shownOf(texts, roles)
  const drawn = await rows('bars')
  const names = drawn.rows.map(([name]) => String(name))
  expect(new Set(await values())).toEqual(new Set(names))
  const grid = await rows('grid')
  expect(new Map(grid.rows as [string, number][])).toEqual(new Map(drawn.rows as [string, number][]))
  for (const [index, row] of drawn.rows.entries()) {
    const pick = readPick(state, bars as unknown as EmbeddedVisual, drawn, index)
    if (!pick || !('selects' in pick) || !pick.selects) throw new Error('the bar is not picked')
    const { visual, filters } = pick.selects
    const selection = { visual, filters }
    const slicer = [keepValues(target, [row[0] ?? null])]
    const shown = {
      selection: sumOf(await rows('total', { selection }), 'total'),
      slicer: sumOf(await rows('total', { filters: slicer }), 'total'),
      drill: sumOf(await rows('drill', { drill: { drill: [row[0]] } }), 'total'),
      underlying: sumOf(await rows('total', { selection, underlying: 1000 }), 'valor'),
    }
    const [, number] = row
    expect(shown, JSON.stringify(row)).toEqual({
      selection: number,
      slicer: number,
      drill: number,
      underlying: number,
    })
  }
  return { rows, drawn }
}

describe('the number of a clicked group is the number of the page that it filters', () => {
  test.each([['todos'], ['quase-todos']])(
    'the number of a clicked group is the number of the page that it filters for texts that look alike, with the role %s',
    async (role) => {
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 12, maxLength: 25 }), async (texts) => {
          await clickAll(['CURITIBA', 'Curitiba', 'curitiba ', ...texts], [role])
        }),
        { numRuns: 3 },
      )
    },
    60_000,
  )

  test('the number of a clicked group is the number of the page that it filters in a column with too many texts to know them all', async () => {
    const others = Array.from({ length: 1200 }, (_, index) => `outro ${index}`)
    const { rows } = await shownOf(['CURITIBA', 'Curitiba', 'ΟΔΟΣ', 'ΟΔΟΣ', 'İSTANBUL', ...others])
    const shown = async (filter: object) => sumOf(await rows('total', { filters: [filter] }), 'total')
    expect(await shown(keepValues(target, ['Curitiba']))).toBe(2)
    const all = sumOf(await rows('total'), 'total')
    expect(await shown({ ...keepValues(target, ['CURITIBA']), operator: 'NotIn' })).toBe(all - 1)
    // Without `matchCase`, as in Power BI.
    expect(await shown({ target, operator: 'In', values: ['curitiba'] })).toBe(3)
    expect(await shown({ target, operator: 'In', values: ['ΟΔΟΣ'] })).toBe(12)
    expect(await shown({ target, operator: 'In', values: ['İSTANBUL'] })).toBe(16)
  }, 30_000)
})

test('a list longer than the bound values of a statement compares the letters too', async () => {
  const { rows } = await shownOf(['CURITIBA', 'Curitiba'])
  const values = ['Curitiba', ...Array.from({ length: 60 }, (_, index) => `x${index}`)]
  expect(sumOf(await rows('total', { filters: [keepValues(target, values)] }), 'total')).toBe(2)
})

test('a row-level rule compares as its SQL says, whatever the filters', async () => {
  const { rows } = await shownOf(['CNU', 'cnu', 'Cnu '], ['dono'], 'cnu')
  expect((await rows('bars')).rows).toEqual([['cnu', 2]])
  const wide = [{ target, operator: 'In', values: ['CNU'] }]
  expect((await rows('bars', { filters: wide })).rows).toEqual([['cnu', 2]])
  expect((await rows('bars', { filters: [keepValues(target, ['CNU'])] })).rows).toEqual([])
})

test('search in a list of values ignores case and accents', async () => {
  const { values } = await shownOf(['MARINGÁ', 'Maringa', 'Maringa\u0301', 'Curitiba'])
  expect(new Set(await values({ search: 'maringá' }))).toEqual(
    new Set(['MARINGÁ', 'Maringa', 'Maringa\u0301']),
  )
})
