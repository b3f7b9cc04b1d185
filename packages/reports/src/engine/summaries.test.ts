import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService, UNKNOWN, warningsOf } from '../../test/fixture.ts'
import { randomQuery } from '../../test/random-queries.ts'
import type { Dataset, Visual } from './catalog.ts'
import { type Filter, VisualDefinition } from './definition.ts'
import { loadVisual } from './load-visual.ts'
import { type Ask, queryValues, queryVisual, type Statement } from './query.ts'
import type { Reader } from './row-security.ts'

/** 300 rows of 4 × 4 × 4 combinations of keys, with blanks; always the same. Quarters add up exactly in whatever order. */
const rows = fc
  .sample(
    fc.tuple(
      fc.constantFrom('x', 'y', 'z', ''),
      fc.constantFrom('1', '2', '3', ''),
      fc.constantFrom('2024-01-01', '2024-02-01', '2024-02-15', '2024-04-01'),
      fc.oneof(
        fc.constant(''),
        fc.integer({ min: -50, max: 100 }).map((n) => String(n / 4)),
      ),
      fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 8 }).map(String)),
    ),
    { numRuns: 300, seed: 7 },
  )
  .map(([a, b, c, v, w], n) => [a, b, c, `k${n}`, v, w].join())
const dataset = {
  id: UNKNOWN,
  name: 'Com resumos',
  tables: { T: { file: 't.csv' }, D: { file: 'd.csv' }, H: { file: 'd.csv', hidden: true } },
  summaries: [
    { of: 'T', by: ['a', 'b', 'c'], sums: ['v', 'w'] },
    { of: 'T', by: ['a'], sums: ['v'] },
  ],
  requiresIdentity: false,
  roles: [
    { name: 'all', rows: {} },
    { name: 'key', rows: { T: "a = 'x' OR b = 2" } },
    { name: 'hidden', rows: { T: 'a IN (SELECT a FROM H WHERE n > 1)' } },
    { name: 'whole', rows: { T: "T IS NOT NULL AND a = 'x'" } },
    { name: 'row', rows: { T: "k <> 'k7'" } },
    { name: 'sum', rows: { T: 'T.w > 3' } },
    { name: 'user', rows: { T: 'a = $username' } },
  ],
}
const files = {
  'datasets/s/dataset.json': dataset,
  'datasets/s/t.csv': `a,b,c,k,v,w\n${rows.join('\n')}\n`,
  'datasets/s/d.csv': 'a,n\nx,1\nx,2\ny,2\n,3\n',
}

let service: Service
let loaded: Dataset
beforeAll(async () => {
  service = await startService({ files })
  const catalog = await service.loaded
  expect(catalog.warnings).toEqual([expect.stringContaining('requiresIdentity: com false, ')])
  loaded = catalog.datasets.get(UNKNOWN) ?? expect.fail('the dataset was left out')
})
afterAll(() => service.stop())

const visualOf = (query: string, more: object = {}) =>
  loadVisual(
    loaded.database,
    loaded,
    VisualDefinition.parse({
      name: 'v',
      type: 'table',
      title: 'v',
      layout: { x: 0, y: 0, width: 100, height: 100 },
      query,
      ...more,
    }),
    query,
    () => undefined,
  )

/** The rows, in no order, and whether a summary was read. */
async function answerOf(visual: Visual, identity?: Reader, filters: Filter[] = [], summaries = true) {
  const asked: Statement[] = []
  const ask: Ask = (write) => {
    const statement = write()
    asked.push(statement)
    return loaded.database.query(statement.text, statement.values)
  }
  const without = visual.shapes.map((shape) => ({ ...shape, summaries: new Map() }))
  const [first = visual.shapes[0], ...rest] = summaries ? visual.shapes : without
  const shown = { ...visual, shapes: [first, ...rest] as Visual['shapes'] }
  const { rows } = await queryVisual(ask, loaded, shown, identity, { filters, opened: [] })
  return {
    rows: rows.map((row) => JSON.stringify(row)).sort(),
    read: asked.some(({ text }) => text.includes('"T#')),
  }
}

const roles = fc.constantFrom(...dataset.roles.map(({ name }) => name))
const identity = fc.option(
  fc.record({
    username: fc.constantFrom('x', 'y', 'q'),
    roles: fc.uniqueArray(roles, { minLength: 1, maxLength: 2 }),
  }),
  {
    nil: undefined,
  },
)
const filter = fc.oneof(
  fc.record({ column: fc.constant('a'), values: fc.uniqueArray(fc.constantFrom('x', 'Y', null)) }),
  fc.record({ column: fc.constant('b'), values: fc.uniqueArray(fc.constantFrom(1, 2, null)) }),
  fc.record({ column: fc.constant('c'), values: fc.constant(['2024-02-01', '2024-03-01']) }),
  fc.record({ column: fc.constantFrom('v', 'w'), values: fc.constant([1, 2, 3]) }),
  fc.record({ column: fc.constant('k'), values: fc.constant(['k1', 'k2', 'k3']) }),
)
const filters = fc.array(
  filter.map(
    ({ column, values }): Filter => ({
      target: { table: 'T', column },
      operator: 'NotIn',
      values: [...values],
    }),
  ),
  { maxLength: 2 },
)

it('gives the same rows as the table, for random queries, roles and filters', {
  timeout: 120_000,
}, async () => {
  const runs = { all: 0, proven: 0, read: 0 }
  await fc.assert(
    fc.asyncProperty(randomQuery, identity, filters, async (query, who, some) => {
      const visual = await visualOf(query)
      if (!visual) return
      runs.all++
      const plain = await answerOf(visual, who, some, false)
      const answer = await answerOf(visual, who, some)
      expect(answer.rows).toEqual(plain.rows)
      if (visual.shapes[0].summaries.size) runs.proven++
      if (answer.read) runs.read++
    }),
    { numRuns: 150 },
  )
  // Not by answering everything from the table.
  expect(runs.proven).toBeGreaterThan(runs.all / 5)
  expect(runs.read).toBeGreaterThan(runs.all / 10)
})

it.each<[string, string, boolean]>([
  [
    'a ratio of sums by a key',
    'SELECT a, sum(v) / sum(w) AS r FROM T GROUP BY 1 ORDER BY r DESC LIMIT 3',
    true,
  ],
  [
    'months of the last year',
    "SELECT date_trunc('month', c) AS mes, sum(v) AS v FROM T WHERE c > (SELECT max(c) FROM T) - INTERVAL 12 MONTH GROUP BY mes ORDER BY mes",
    true,
  ],
  ['a running sum', 'SELECT c, sum(sum(v)) OVER (ORDER BY c) AS v FROM T GROUP BY c', true],
  ['a dimension joined', 'SELECT d.n, sum(v) AS v FROM T JOIN D d USING (a) GROUP BY 1', true],
  [
    'an average of sums',
    'SELECT avg(x) AS m, count(*) AS n FROM (SELECT a, sum(v) AS x FROM T GROUP BY a)',
    true,
  ],
  ['rows counted', 'SELECT a, count(*) AS n FROM T GROUP BY a', false],
  ['rows themselves', 'SELECT a, v FROM T', false],
  ['a column beside', 'SELECT k, sum(v) AS v FROM T GROUP BY k', false],
  ['an average', 'SELECT avg(v) AS v FROM T', false],
  ['joined with itself', 'SELECT sum(t.v) AS v FROM T t JOIN T u ON u.a = t.a', false],
  [
    'a sum reached from within',
    'SELECT a, (SELECT max(n) FROM D WHERE n > v) AS n FROM T GROUP BY a, v',
    false,
  ],
  [
    'rows numbered',
    'SELECT sum(v) AS v FROM (SELECT v, row_number() OVER () AS n FROM T) WHERE n < 10',
    false,
  ],
])('is read, or not, for %s', async (_name, query, expected) => {
  const visual = (await visualOf(query)) ?? expect.fail('the query was refused')
  expect((await answerOf(visual)).read).toBe(expected)
})

it('is read through a hierarchy and a matrix over plain rows', async () => {
  const values = { v: 'sum(v)', r: 'sum(v) / nullif(sum(w), 0)' }
  const level = (column: string) => ({ column, label: column })
  const query = 'SELECT a, b, c, v, w FROM T'
  const drill = { levels: [level('a'), level('b'), level('c')], values }
  const chart = (await visualOf(query, { type: 'bar', drill })) ?? expect.fail('the hierarchy was refused')
  expect(chart.shapes.map(({ summaries }) => [...summaries.values()].flat().length)).toEqual([1, 1, 1])
  const matrix = { rows: ['a', 'b'], columns: ['c'], values }
  const table = (await visualOf(query, { type: 'matrix', matrix })) ?? expect.fail('the matrix was refused')
  const [read, plain] = [await answerOf(table), await answerOf(table, undefined, [], false)]
  expect([read.read, read.rows]).toEqual([true, plain.rows])
})

it('gives way to the table where a filter or a rule asks for more than it has', async () => {
  const visual = (await visualOf('SELECT a, sum(v) AS v FROM T GROUP BY a')) ?? expect.fail('refused')
  const as = async (role: string) => (await answerOf(visual, { username: 'x', roles: [role] })).read
  const reads = await Promise.all(dataset.roles.map(async ({ name }) => [name, await as(name)]))
  expect(Object.fromEntries(reads)).toEqual({
    all: true,
    key: true,
    hidden: true,
    user: true,
    whole: false,
    row: false,
    sum: false,
  })
  const under = async (column: string, value: string | number) => {
    const filter: Filter = { target: { table: 'T', column }, operator: 'In', values: [value] }
    return (await answerOf(visual, undefined, [filter])).read
  }
  expect([await under('a', 'x'), await under('b', 1), await under('k', 'k1'), await under('v', 1)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

it('is the shortest that serves', async () => {
  const visual = (await visualOf('SELECT a, sum(v) AS v FROM T GROUP BY a')) ?? expect.fail('refused')
  const [all = []] = visual.shapes[0].summaries.values()
  expect(all.map(({ source }) => source.split('.')[1])).toEqual(['"T#1"', '"T#0"'])
  expect(all[0]?.rows).toBe(4)
})

it('gives the values and bounds of its keys', async () => {
  const texts: string[] = []
  const ask: Ask = (write) => {
    const { text, values } = write()
    texts.push(text)
    return loaded.database.query(text, values)
  }
  const of = (column: string, more: object = {}) =>
    queryValues(ask, loaded, undefined, { target: { table: 'T', column }, ...more })
  expect((await of('a')).values).toEqual([null, 'x', 'y', 'z'])
  expect((await of('c', { bounds: true })).values).toEqual(['2024-01-01', '2024-04-01'])
  expect((await of('w', { bounds: true })).values).toEqual([0, 8])
  expect(texts.map((text) => /"T#\d"/.exec(text)?.[0])).toEqual(['"T#1"', '"T#0"', undefined])
})

it('is refused, or left out, with its place', async () => {
  const wrong: [object, string][] = [
    [{ of: 'X', by: ['a'] }, 'a tabela X não existe'],
    [{ of: 'T', by: ['x'] }, 'a coluna T.x não existe'],
    [{ of: 'T', by: ['a'], sums: ['x'] }, 'a coluna T.x não existe'],
    [{ of: 'T', by: ['a', 'w'], sums: ['w'] }, 'a coluna w se repete em by e sums'],
    [{ of: 'T', by: ['b'], sums: ['a'] }, 'sums: a coluna a não é de números'],
  ]
  const summaries = wrong.map(([one]) => one)
  const told = await warningsOf({ ...files, 'datasets/s/dataset.json': { ...dataset, summaries } })
  wrong.forEach(([, reason], index) => {
    expect(told[index]).toContain(`datasets/s/dataset.json: summaries[${index}]: ${reason}`)
  })
  const useless = { ...dataset, summaries: [{ of: 'T', by: ['k'], sums: ['v'] }] }
  const [only = ''] = await warningsOf({ ...files, 'datasets/s/dataset.json': useless })
  expect(only).toContain(
    'datasets/s/dataset.json: summaries[0]: não reduz a tabela T (300 combinações de by)',
  )
})
