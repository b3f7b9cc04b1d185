import { describe, expect, it } from 'vitest'
import { claimsDataset, claimsReport, REPORT, serviceWith, visual, warningsOf } from '../../test/fixture.ts'
import type { PageData } from '../embed-contract.ts'

/** SQL that no author may write anywhere. */
const escapes = [
  "read_text('/etc/passwd')",
  "(SELECT max(content) FROM read_text('/etc/passwd'))",
  "(SELECT max(column0) FROM '/etc/passwd')",
  "getenv('HOME')",
  "current_setting('memory_limit')",
  '(SELECT max(value) FROM duckdb_settings())',
  '(SELECT max(email) FROM dataset.Access)',
  '(SELECT max(email) FROM compressed.dataset.Access)',
  "1) AS x; ATTACH '/tmp/x.db'; SELECT (1",
  "1; COPY Claims TO '/tmp/x.csv'",
  '1; PRAGMA database_list',
  '1; SET memory_limit = 0',
  '1; INSTALL httpfs; LOAD httpfs',
  '1; CALL pragma_version()',
  'list_sum(range(2000000000))',
  'list_sum(generate_series(1, count(*)))',
  "length(printf('%2000000000d', 1))",
  "length(printf('%*d', 2000000000, 1))",
  "length(format('{:>2000000000}', 'x'))",
  "length(replace(replace(replace('aaa', 'a', 'aaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaa'))",
  "length(list_reduce(['a', 'a'], lambda x, y: x || x))",
  "length(repeat('a', 1000000000))",
  "(operadora LIKE '%_a%_a%_a%b')",
  "(operadora GLOB '*?a*?a*?a*b')",
  '(operadora LIKE sexo)',
  "contains(operadora, operadora || 'b')",
]

it('refuses SQL that leaves the dataset or grows without bound in measures, orders, totals and predicates', async () => {
  const levels = [
    { column: 'operadora', label: 'O' },
    { column: 'sexo', label: 'S' },
  ]
  const query = 'SELECT operadora, sexo, valor FROM Claims'
  const placesOf = (sql: string): [object, string][] => [
    [{ type: 'bar', drill: { levels, values: { m: `max(${sql})` } } }, 'drill.values.m'],
    [{ type: 'bar', drill: { levels, values: { m: 'sum(valor)' }, order: sql } }, 'drill.order'],
    [{ type: 'matrix', matrix: { rows: ['operadora'], values: { m: `max(${sql})` } } }, 'matrix.values.m'],
    [{ totals: { valor: `max(${sql})` } }, 'totals.valor'],
  ]
  const pages = escapes.map((sql, index) => ({
    name: `P${index}`,
    displayName: 'P',
    visuals: placesOf(sql).map(([more], position) => visual(`v${position}`, query, more)),
  }))
  const told = await warningsOf({ 'workspaces/one/claims.json': { ...claimsReport, pages } })
  const missed = escapes.flatMap((sql, page) =>
    placesOf(sql).flatMap(([, place], position) => {
      const at = `pages[${page}].visuals[${position}].${place}: `
      return told.some((sentence) => sentence.includes(at)) ? [] : [`${at}${sql}`]
    }),
  )
  expect(missed, told.join('\n')).toEqual([])

  const roles = escapes.map((sql, index) => ({ name: `r${index}`, rows: { Claims: `${sql} IS NULL` } }))
  const refused = await warningsOf({ 'datasets/claims/dataset.json': { ...claimsDataset, roles } })
  const accepted = escapes.filter(
    (_sql, index) => !refused.some((sentence) => sentence.includes(`roles[${index}].rows.Claims: `)),
  )
  expect(accepted, refused.join('\n')).toEqual([])
}, 60_000)

/** Queries that fail only when they run: endless, or larger than the memory. */
const endless = {
  recursion: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) AS n FROM r',
  series: 'SELECT count(*) AS n FROM generate_series(1, 9000000000000000000)',
}
const huge = {
  cross: 'SELECT count(*) AS n FROM (SELECT DISTINCT a.range, b.range FROM range(100000) a, range(100000) b)',
  text: "SELECT length(string_agg(operadora, ',')) AS n FROM Claims, range(1000000000)",
  list: 'SELECT length(list(range)) AS n FROM range(1000000000)',
  doubling:
    "WITH RECURSIVE r AS (SELECT 'aaaaaaaa' AS s UNION ALL SELECT s || s FROM r) SELECT max(length(s)) AS n FROM r",
}
/** Aggregates whose memory DuckDB does not count against its limit. */
const uncounted = {
  histogram: 'SELECT cardinality(histogram(range)) AS n FROM range(1000000000)',
  mode: 'SELECT mode(range) AS n FROM range(1000000000)',
  quantile: 'SELECT quantile_cont(range, 0.5) AS n FROM range(1000000000)',
  mad: 'SELECT mad(range) AS n FROM range(1000000000)',
}
const TIME = { code: 'QueryTimeout', message: 'A consulta demorou demais.' }
const MEMORY = {
  code: 'QueryFailed',
  message: 'A consulta deste visual precisa de mais memória do que o serviço lhe dá.',
}

it.each([
  ['time', endless, 3000, TIME],
  ['memory', huge, 60_000, MEMORY],
  ['memory that the database does not count', uncounted, 60_000, MEMORY],
])(
  'stops queries that exceed their budget of %s, and keeps serving',
  async (_budget, bombs, queryTimeoutMs, failure) => {
    const visuals = Object.entries(bombs).map(([name, query]) => visual(name, query))
    const good = visual('good', 'SELECT id FROM Claims ORDER BY id')
    const pages = [{ name: 'Bombs', displayName: 'B', visuals: [...visuals, good] }, claimsReport.pages[0]]
    const service = await serviceWith({
      files: { 'workspaces/one/claims.json': { ...claimsReport, pages } },
      env: { REPORTS_MEMORY_MB: '128' },
      options: { queryTimeoutMs },
    })
    const { warnings, datasets } = await service.loaded
    expect(warnings).toEqual([])
    const token = await service.embedToken(['todos'])
    const peak = watchMemory()
    for (const name of Object.keys(bombs)) {
      const body = { page: 'Bombs', filters: [], visuals: [name, 'good'] }
      const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, body)
      const found: PageData = answer.json()
      expect([name, found.visuals.good?.rows.length, found.failures]).toEqual([name, 5, { [name]: failure }])
    }
    expect(peak.end()).toBeLessThan(3000)
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
    // The memory was released.
    for (const { database } of datasets.values()) {
      const [row] = await database.query('SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()')
      expect(Number(row?.[0])).toBeLessThan(64_000_000)
    }
  },
  120_000,
)

/** Measures by how many megabytes the process grows at most. */
const watchMemory = () => {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 10)
  return {
    end: () => {
      clearInterval(timer)
      return (most - before) / 1e6
    },
  }
}

describe('long texts in the data', () => {
  const note = 'á'.repeat(16_000)
  const files = (text: string) => ({
    'datasets/claims/dataset.json': {
      ...claimsDataset,
      tables: { ...claimsDataset.tables, Notes: { file: 'notes.csv' } },
    },
    'datasets/claims/notes.csv': `note\n${text}\n`,
  })

  it('exclude the dataset when a value is too long, and name the column', async () => {
    const told = await warningsOf(files(`${note}${note}`))
    expect(told.join('\n')).toMatch(
      /tables\.Notes: notes\.csv: a coluna note tem um valor de 64000 bytes; o limite é 32766/,
    )
  })

  it('a visual with more columns than the limit is refused', async () => {
    const query = `SELECT ${Array.from({ length: 501 }, (_, at) => `id AS n${at}`).join(', ')} FROM Claims`
    const pages = [{ name: 'Wide', displayName: 'W', visuals: [visual('wide', query)] }]
    const told = await warningsOf({ 'workspaces/one/claims.json': { ...claimsReport, pages } })
    expect(told.join('\n')).toContain('query: devolve 501 colunas; o limite é 500')
  })

  it('are cut for the page, and an answer that is too large fails before it exhausts the memory', async () => {
    const wide = (columns: number) =>
      `SELECT ${Array.from({ length: columns }, (_, at) => `note AS n${at}`).join(', ')} FROM Notes, range(10000)`
    const visuals = [
      visual('one', 'SELECT note, id FROM Notes, Claims ORDER BY id'),
      visual('joined', 'SELECT note || range AS s FROM Notes, range(10000)'),
      visual('made', 'SELECT max(length(upper(note) || range)) AS n FROM Notes, range(10000)'),
      visual('wide', wide(100)),
      visual('good', 'SELECT id FROM Claims ORDER BY id'),
    ]
    const pages = [{ name: 'Long', displayName: 'L', visuals }, claimsReport.pages[0]]
    const service = await serviceWith({
      files: { ...files(note), 'workspaces/one/claims.json': { ...claimsReport, pages } },
      env: { REPORTS_MEMORY_MB: '128' },
    })
    expect((await service.loaded).warnings).toEqual([])
    const token = await service.embedToken(['todos'])
    const peak = watchMemory()
    const found: PageData = (
      await service.embed(token, 'POST', `/reports/${REPORT}/data`, { page: 'Long', filters: [] })
    ).json()
    expect(found.failures).toEqual({ joined: MEMORY, wide: LARGE })
    expect(found.visuals.one?.rows[4]).toEqual([`${'á'.repeat(2000)}…`, 5])
    expect(found.visuals.made?.rows).toEqual([[16_004]])
    expect(found.visuals.good?.rows).toHaveLength(5)
    expect(peak.end()).toBeLessThan(1000)
  }, 60_000)
})
const LARGE = {
  code: 'QueryFailed',
  message:
    'O resultado deste visual é grande demais: mostre menos linhas, menos colunas ou textos mais curtos.',
}
