import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  plainReport,
  type Service,
  startService,
  UNKNOWN,
  visual as visualFile,
  warningsOf,
  writeFiles,
} from '../../../test/fixture.ts'
import { check, publish } from '../../authoring/publish/publish.ts'
import { VisualDefinition } from '../../definitions/definition.ts'
import type { Dataset, Visual } from '../data/catalog.ts'
import { createQueryCheck, loadVisual } from '../loading/load-visual.ts'
import { findDifference } from './compare-aggregation.ts'
import type { ResolvedFilter } from './filters.ts'
import { queryValues, queryVisual, type RunStatement, type Statement } from './query.ts'
import type { Reader } from './row-security.ts'

/** 300 rows of at most 4 × 4 × 4 combinations of keys, with blanks. Quarters add up exactly. */
const rows = Array.from({ length: 300 }, (_, n) => {
  const pick = (of: string[], step: number) => of[Math.floor((n * step) / 7) % of.length] ?? ''
  return [
    pick(['x', 'y', 'z', ''], 3),
    pick(['1', '2', '3', ''], 5),
    pick(['2024-01-01', '2024-02-01', '2024-02-15', '2024-04-01'], 11),
    `k${n}`,
    n % 9 === 0 ? '' : String((((n * 37) % 150) - 50) / 4),
    n % 10 === 0 ? '' : String((n * 13) % 9),
  ].join()
})
const dataset = {
  id: UNKNOWN,
  name: 'Com resumos',
  tables: { T: { file: 't.csv' }, D: { file: 'd.csv' }, H: { file: 'd.csv', hidden: true } },
  summaries: [
    { name: 'ABC', of: 'T', by: ['a', 'b', 'c'], sums: ['v', 'w'] },
    { name: 'A', of: 'T', by: ['a'], sums: ['v'] },
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

/** Loads a visual over the aggregation table ABC; undefined when it is refused. */
const load = async (query: string, more: object = {}) => {
  const faults: string[] = []
  const visual = await loadVisual(
    loaded,
    VisualDefinition.parse({ ...visualFile('v', query), summary: 'ABC', ...more }),
    query,
    (place, error) => faults.push(`${place}: ${error instanceof Error ? error.message : error}`),
    createQueryCheck(loaded, false),
  )
  return { visual, faults }
}
const visualOf = async (query: string, more: object = {}) =>
  (await load(query, more)).visual ?? expect.fail('the query was refused')

/** Returns the rows, and whether an aggregation table was read. */
const answerOf = async (visual: Visual, identity?: Reader, filters: ResolvedFilter[] = []) => {
  const asked: Statement[] = []
  const ask: RunStatement = (write) => {
    const statement = write()
    asked.push(statement)
    return loaded.database.query(statement.text, statement.values)
  }
  const { rows } = await queryVisual(ask, loaded, visual, identity, { filters, drillPath: [] })
  return {
    rows: rows.map((row) => JSON.stringify(row)).sort(),
    read: asked.some(({ text }) => text.includes('"T#')),
  }
}

const userRule = () =>
  loaded.roles.find(({ name }) => name === 'user')?.predicates.get('t') ?? expect.fail('no such rule')

/** Returns the first case in which the results differ. */
const differenceOf = async (query: string, more: object = {}) =>
  findDifference(loaded, await visualOf(query, more), { quotesData: true })

test.each<[string, string]>([
  ['a ratio of sums by a key', 'SELECT a, sum(v) / sum(w) AS r FROM T GROUP BY 1 ORDER BY r DESC LIMIT 3'],
  [
    'months of the last year',
    "SELECT date_trunc('month', c) AS mes, sum(v) AS v FROM T WHERE c > (SELECT max(c) FROM T) - INTERVAL 12 MONTH GROUP BY mes ORDER BY mes",
  ],
  ['a running sum', 'SELECT c, sum(sum(v)) OVER (ORDER BY c) AS v FROM T GROUP BY c'],
  ['a joined table', 'SELECT d.n, sum(v) AS v FROM T JOIN D d USING (a) GROUP BY 1'],
  ['an average of sums', 'SELECT avg(x) AS m, count(*) AS n FROM (SELECT a, sum(v) AS x FROM T GROUP BY a)'],
])('an aggregation table answers a query of %s', async (_name, query) => {
  const visual = await visualOf(query)
  expect(await findDifference(loaded, visual, { quotesData: true })).toBeUndefined()
  const { aggregation: _, ...plain } = visual
  const [read, expected] = [await answerOf(visual), await answerOf(plain)]
  expect([read.read, expected.read, read.rows]).toEqual([true, false, expected.rows])
})

test.each<[string, string]>([
  ['the number of rows', 'SELECT a, count(*) AS n FROM T GROUP BY a'],
  ['single rows', 'SELECT a, v FROM T'],
  ['an average', 'SELECT avg(v) AS v FROM T'],
  ['a join of the table with itself', 'SELECT sum(t.v) AS v FROM T t JOIN T u ON u.a = t.a'],
  ['a condition on a sum', 'SELECT a, sum(v) AS v FROM T WHERE v > 2 GROUP BY a'],
  ['numbered rows', 'SELECT sum(v) AS v FROM (SELECT v, row_number() OVER () AS n FROM T) WHERE n < 10'],
])('publishing refuses an aggregation table for a query of %s', async (_name, query) => {
  expect(await differenceOf(query)).toMatch(/^(sem papel|papel \w+), (sem filtro|filtro (não )?[abc] = .+)$/)
})

test('publishing refuses a difference that no role shows, where every reader has a role', async () => {
  const nothing = { name: 'user', predicates: new Map([['t', { ...userRule(), sql: "a = 'none'" }]]) }
  const closed = {
    ...loaded,
    definition: { ...loaded.definition, requiresIdentity: true },
    roles: [nothing],
  }
  const visual = await visualOf('SELECT a, count(*) AS n FROM T GROUP BY a')
  expect(await findDifference(closed, visual, { quotesData: true })).toBe('sem papel, sem filtro')
})

test('publishing refuses a difference in one level of a hierarchy, in totals, and for one role', async () => {
  const level = (column: string) => ({ column, label: column })
  const drill = (v: string) => ({
    type: 'bar',
    drill: { levels: [level('a'), level('b'), level('c')], values: { v } },
  })
  const query = 'SELECT a, b, c, v, w FROM T'
  expect(await differenceOf(query, drill('sum(v) / nullif(sum(w), 0)'))).toBeUndefined()
  expect(
    await differenceOf(
      query,
      drill('sum(v) + CASE WHEN count(DISTINCT a) = 1 AND min(c) = max(c) THEN count(*) ELSE 0 END'),
    ),
  ).toBe('sem papel, sem filtro')
  const matrix = { rows: ['a', 'b'], columns: ['c'], values: { v: 'sum(v)' } }
  expect(await differenceOf(query, { type: 'matrix', matrix })).toBeUndefined()
  const sums = 'SELECT a, sum(v) AS v FROM T GROUP BY a'
  expect(await differenceOf(sums, { totals: { v: 'sum(v)' } })).toBeUndefined()
  expect(
    await differenceOf(
      'SELECT a, sum(v) + CASE WHEN count(DISTINCT c) = 1 THEN count(*) ELSE 0 END AS v FROM T GROUP BY a',
    ),
  ).toEqual(expect.stringMatching(/^sem papel, filtro c = 2024/))
})

test('a visual is refused for an aggregation table that does not fit its query', async () => {
  const sums = 'SELECT a, sum(v) AS v FROM T GROUP BY a'
  expect(await load(sums, { summary: 'Outro' })).toEqual({
    visual: undefined,
    faults: ['summary: o resumo Outro não existe no conjunto de dados'],
  })
  expect((await load('SELECT n FROM D')).faults).toEqual([
    'summary: o resumo ABC é da tabela T, que a consulta não lê',
  ])
  expect((await load('SELECT k, sum(v) AS v FROM T GROUP BY k')).faults.join()).toMatch(/^summary: .*"k"/)
  expect((await load(sums, { summary: undefined })).visual?.aggregation).toBeUndefined()
})

test('check and publish refuse a report whose aggregation table changes a result', async () => {
  const home = await mkdtemp(join(tmpdir(), 'aggregation-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const reportOf = (query: string) => ({
    ...plainReport,
    id: 'e0000000-0000-4000-8000-00000000000a',
    dataset: UNKNOWN,
    pages: [{ name: 'P', displayName: 'P', visuals: [{ ...visualFile('v', query), summary: 'abc' }] }],
  })
  const put = (query: string) =>
    writeFiles(join(home, 'mine'), {
      ...files,
      'workspaces/s/workspace.json': { id: 'a0000000-0000-4000-8000-00000000000a', name: 'S' },
      'workspaces/s/r.json': reportOf(query),
    })
  const settings = { dataDir: join(home, 'data'), memoryMegabytes: 256 }
  await put('SELECT a, count(*) AS n FROM T GROUP BY a')
  for (const evaluate of [check, publish]) {
    const { faults } = await evaluate(settings, join(home, 'mine'))
    expect(faults).toEqual([
      expect.stringMatching(
        /r\.json: pages\[0\]\.visuals\[0\]\.summary: com o resumo ABC o resultado é outro \(sem papel, sem filtro\): some com sum\(…\) só colunas de sums, e não conte linhas \(linha 1, coluna \d+\)$/,
      ),
    ])
  }
  await put('SELECT a, sum(v) AS n FROM T GROUP BY a')
  expect((await publish(settings, join(home, 'mine'))).faults).toEqual([])
})

test('a query reads the table when a filter or a rule is on other columns than the keys', async () => {
  const visual = await visualOf('SELECT a, sum(v) AS v FROM T GROUP BY a')
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
    const filter: ResolvedFilter = { target: { table: 'T', column }, operator: 'In', values: [value] }
    return (await answerOf(visual, undefined, [filter])).read
  }
  expect([await under('a', 'x'), await under('b', 1), await under('k', 'k1'), await under('v', 1)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('the values and bounds of a key come from the smallest aggregation table that has it', async () => {
  const texts: string[] = []
  const ask: RunStatement = (write) => {
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

test('an aggregation table is refused, or left out, with its place', async () => {
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
  const twice = [dataset.summaries[0], { ...dataset.summaries[1], name: 'abc' }]
  const [repeated] = await warningsOf({
    ...files,
    'datasets/s/dataset.json': { ...dataset, summaries: twice },
  })
  expect(repeated).toContain('summaries[1]: name: abc se repete')
  const unnamed = [{ of: 'T', by: ['a'], sums: ['v'] }]
  const [first] = await warningsOf({
    ...files,
    'datasets/s/dataset.json': { ...dataset, summaries: unnamed },
  })
  expect(first).toContain('summaries[0]: falta name, o nome que os visuais citam em summary')
  const useless = { ...dataset, summaries: [{ name: 'K', of: 'T', by: ['k'], sums: ['v'] }] }
  const [only = ''] = await warningsOf({ ...files, 'datasets/s/dataset.json': useless })
  expect(only).toContain(
    'datasets/s/dataset.json: summaries[0]: não reduz a tabela T (300 combinações de by)',
  )
})

test.each<[string, string | undefined]>([
  ['no rules', undefined],
  ['a rule on a key', 'key'],
])('a top N over an aggregation table counts among single rows, with %s', async (_name, role) => {
  const visual = await visualOf('SELECT a, sum(v) AS v FROM T GROUP BY a')
  const { aggregation: _, ...plain } = visual
  const identity = role === undefined ? undefined : { username: 'x', roles: [role] }
  const orderBy = { table: 'T', column: 'k', aggregationFunction: 'Count' } as const
  const top: ResolvedFilter = { target: { table: 'T', column: 'a' }, operator: 'Top', itemCount: 1, orderBy }
  const [read, expected] = [await answerOf(visual, identity, [top]), await answerOf(plain, identity, [top])]
  expect([read.read, expected.read, read.rows]).toEqual([true, false, expected.rows])
  expect(read.rows).toHaveLength(1)
})
