import { describe, expect, onTestFinished, test } from 'vitest'
import {
  claimsDataset,
  claimsReport,
  REPORT,
  serviceWith,
  visual,
  warningsOf,
} from '../../../test/fixture.ts'
import type { Table } from '../data/catalog.ts'
import { openDatabase } from '../data/database/database.ts'
import { checkSelect } from './sql-check.ts'

const PER_PAGE = 10
const placeOf = (index: number) =>
  `workspaces/one/claims.json: pages[${Math.floor(index / PER_PAGE)}].visuals[${index % PER_PAGE}].query: `

/** Returns the warnings about a report with these queries, ten per page. */
const refusalOf = async (...queries: string[]) => {
  const pages = Array.from({ length: Math.ceil(queries.length / PER_PAGE) }, (_, page) => ({
    name: `P${page}`,
    displayName: 'Página',
    visuals: queries
      .slice(page * PER_PAGE, (page + 1) * PER_PAGE)
      .map((query, index) => visual(`v${index}`, query)),
  }))
  return warningsOf({ 'workspaces/one/claims.json': { ...claimsReport, pages } })
}

test('the check refuses SQL that leaves the dataset, with the place in the file', async () => {
  const escapes: [string, RegExp][] = [
    ['SELECT * FROM main.Claims', /sem esquema/],
    ['SELECT * FROM dataset0.Claims', /sem esquema/],
    ['SELECT * FROM memory.dataset0.Access', /sem esquema/],
    ['SELECT * FROM information_schema.tables', /sem esquema/],
    ['SELECT * FROM pg_class', /pg_class não existe/],
    ['SELECT * FROM duckdb_tables', /duckdb_tables não existe/],
    ['SELECT * FROM sqlite_master', /sqlite_master não existe/],
    ['SELECT * FROM Access', /Access não existe/],
    ['SELECT (SELECT max(email) FROM Access) AS x FROM Claims', /Access não existe/],
    ['SELECT * FROM Claims WHERE operadora IN (SELECT operadora FROM access)', /access não existe/],
    ['WITH Access AS (SELECT * FROM Claims) SELECT * FROM Access', /nome reservado/],
    ['SELECT * FROM (WITH pg_class AS (SELECT 1) SELECT * FROM pg_class), pg_class', /nome reservado/],
    ['WITH pg_class AS (SELECT * FROM pg_class) SELECT * FROM pg_class', /nome reservado/],
    ['SELECT * FROM (WITH y AS (SELECT 1) SELECT * FROM y) z, y', /banco respondeu: Catalog Error/],
    ["SELECT * FROM read_csv('/etc/passwd')", /função read_csv/],
    ["SELECT * FROM read_text('/etc/passwd')", /função read_text/],
    ["SELECT * FROM '/etc/passwd'", /não existe/],
    ["SELECT * FROM glob('/*')", /função glob/],
    ['SELECT * FROM duckdb_settings()', /função duckdb_settings/],
    ["SELECT * FROM query('SELECT * FROM dataset0.Access')", /função query/],
    ["SELECT * FROM query_table('Access')", /função query_table/],
    ["SELECT * FROM json_execute_serialized_sql('x')", /função json_execute_serialized_sql/],
    ["SELECT getenv('HOME')", /função getenv/],
    ["SELECT current_setting('memory_limit')", /função current_setting/],
    ["SELECT getvariable('x')", /função getvariable/],
    ['SELECT current_query() FROM Claims', /função current_query/],
    ['SELECT sum(sleep_ms(id)) FROM Claims', /função sleep_ms/],
    // OPERATOR(name.+) calls the function of that name.
    ["SELECT OPERATOR(current_setting.+) 'x' AS x", /função current_setting/],
    ["SELECT OPERATOR(current_setting.!) 'secret_directory' AS x", /função current_setting/],
    ['SELECT OPERATOR(sleep_ms.!) 1000 AS x', /função sleep_ms/],
    ["SELECT OPERATOR(write_log.!) 'x' AS x", /função write_log/],
    ["SELECT OPERATOR(getvariable.!) 'x' AS x", /função getvariable/],
    ["SELECT OPERATOR(json_serialize_sql.!) 'SELECT 1' AS x", /função json_serialize_sql/],
    ["SELECT 'a' OPERATOR(getenv.b.+) 'x' AS x", /função getenv/],
    // Slow functions that ignore an interrupt.
    ["SELECT levenshtein(operadora, 'x') AS x FROM Claims", /função levenshtein/],
    ["SELECT damerau_levenshtein(operadora, 'x') AS x FROM Claims", /função damerau_levenshtein/],
    ["SELECT editdist3(operadora, 'x') AS x FROM Claims", /função editdist3/],
    ["SELECT jaro_similarity(operadora, 'x') AS x FROM Claims", /função jaro_similarity/],
    ["SELECT jaro_winkler_similarity(operadora, 'x') AS x FROM Claims", /função jaro_winkler/],
    ["SELECT jaccard(operadora, 'x') AS x FROM Claims", /função jaccard/],
    ["SELECT hamming(operadora, 'x') AS x FROM Claims", /função hamming/],
    ["SELECT repeat('a', 1000000) AS x", /função repeat/],
    ["SELECT list_transform([1], lambda x: getenv('HOME'))", /função getenv/],
    ["SELECT id FROM Claims ORDER BY getenv('HOME')", /função getenv/],
    ["SELECT id FROM Claims QUALIFY row_number() OVER (ORDER BY getenv('A')) = 1", /função getenv/],
    ['SELECT * FROM range((SELECT count(*) FROM pg_class))', /pg_class não existe/],
    ['SELECT 1; SELECT 2', /uma única consulta/],
    ['SELECT 1; DROP TABLE dataset0.Claims', /só SELECT/],
    ['SELECT 1) AS a, (SELECT 2', /não pôde ser lida/],
    ['DROP TABLE dataset0.Claims', /só SELECT/],
    ["COPY (SELECT 1) TO '/tmp/x'", /só SELECT/],
    ["ATTACH '/tmp/x'", /só SELECT/],
    ['SET threads = 1', /só SELECT/],
    ['DESCRIBE Claims', /SHOW_REF/],
    ['SELECT * FROM (SHOW TABLES)', /SHOW_REF/],
    ['SELECT * FROM Claims AT (VERSION => 1)', /AT não é aceito/],
    ['SELECT $username', /não tem parâmetros/],
    ['SELECT ?', /não tem parâmetros/],
    ['SELECT 1 /* nunca fecha', /não pôde ser lida/],
  ]
  const warnings = await refusalOf(...escapes.map(([sql]) => sql))
  const missed = escapes.filter(([, reason], index) => {
    const warning = warnings.find((text) => text.startsWith(placeOf(index)))
    return !warning || !reason.test(warning)
  })
  expect(missed, warnings.join('\n')).toEqual([])
}, 30_000)

test('the check accepts text searches of all kinds', async () => {
  const conditions = [
    ...[
      "'%abc%'",
      "'A%'",
      "'%z'",
      "'a_c'",
      "'São%'",
      "'%a%b%c'",
      "'_a%b'",
      "'%_a%'",
      "'%%a_'",
      "''",
      "'%'",
    ].map((pattern) => `operadora LIKE ${pattern} AND operadora NOT LIKE ${pattern}`),
    ...["'%abc%'", "'A%'", "'%z'", "'a_c'", "'São%'", "'a%b'"].map(
      (pattern) => `operadora ILIKE ${pattern} AND operadora NOT ILIKE ${pattern}`,
    ),
    "operadora GLOB 'a*' AND operadora GLOB '*[a-z]?' AND operadora GLOB '*a*'",
    "operadora LIKE '%50!%%' ESCAPE '!' AND operadora ILIKE '!_%' ESCAPE '!' AND operadora LIKE 'a\\%%b' ESCAPE '\\'",
    "lower(operadora) LIKE '%sul%américa%'",
    "contains(operadora, 'A') AND contains(operadora, left(sexo, 20)) AND contains(lower(operadora), lower(left(sexo, 20)))",
    "strpos(operadora, 'A') > 0 AND position('A' IN operadora) > 0 AND instr(operadora, 'A') > 0",
    "split_part(operadora, '_', 1) = 'A' AND string_split(operadora, '_')[1] = 'A'",
    'starts_with(operadora, sexo) AND ends_with(operadora, sexo) AND operadora ^@ sexo',
    "lower(operadora) IN ['cnu', 'bradesco'] AND operadora IN (SELECT operadora FROM Claims)",
    "regexp_matches(operadora, '(.*a){3}b') AND operadora LIKE '%_a%_b%' AND operadora GLOB '*a*b'",
    'operadora LIKE sexo AND contains(operadora, sexo) AND strpos(operadora, reverse(operadora)) > 1',
    "regexp_replace(operadora, '[^0-9*+|]+', '', 'g') = '1' AND regexp_replace(operadora, '.*b|a', '') = '1'",
    "regexp_extract_all(operadora, 'a\\d+')[1] = 'a1' AND regexp_replace(operadora, 'a|b{2}', '', 'g') = ''",
  ]
  const warnings = await refusalOf(...conditions.map((sql) => `SELECT id FROM Claims WHERE ${sql}`))
  expect(warnings).toEqual([])
}, 30_000)

test('the check accepts the SQL of real reports', async () => {
  const warnings = await refusalOf(
    'SELECT operadora, sum(valor) AS total FROM Claims GROUP BY ALL ORDER BY total DESC LIMIT 10;',
    'SELECT 1 AS x -- um comentário no fim',
    "SELECT strftime(date_trunc('month', dia), '%Y-%m') AS mes, count(*) FILTER (WHERE pago) AS n FROM Claims GROUP BY 1",
    'WITH t AS (SELECT * FROM Claims), u AS (SELECT operadora FROM t) SELECT * FROM u UNION ALL SELECT operadora FROM t',
    'WITH Claims AS (SELECT * FROM Claims WHERE id > 1) SELECT count(*) AS n FROM Claims',
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r',
    'SELECT a.id, b.total FROM Claims a JOIN (SELECT operadora, sum(valor) AS total FROM Claims GROUP BY 1) b USING (operadora)',
    'SELECT id, lag(valor) OVER (PARTITION BY operadora ORDER BY dia) AS antes FROM Claims',
    'SELECT * EXCLUDE (pago) FROM Claims',
    "SELECT CASE WHEN valor BETWEEN 1 AND 100 THEN 'até 100' ELSE 'mais' END AS faixa, coalesce(sexo, '?') AS sexo FROM Claims",
    "SELECT unnest(['a', 'b']) AS letra, extract(year FROM date '2024-01-01') AS ano, dia + INTERVAL 1 MONTH AS depois FROM Claims",
    "SELECT * FROM (VALUES (1, 'a')) AS v(n, letra)",
    'SELECT m.generate_series AS mes FROM generate_series(1, 12) AS m',
    'SELECT id FROM Claims WHERE EXISTS (SELECT 1 FROM Claims c WHERE c.id < Claims.id) AND sexo IS NOT NULL',
    'FROM Claims SELECT id WHERE dia <= current_date',
    "SELECT lpad(id::VARCHAR, 2, '0') AS n, rpad('a', 1000, '.') AS p FROM Claims",
    'SELECT -id AS a, id + 1 AS b, id - 1 AS c, id * 2 AS d, id / 2 AS e, id // 2 AS f, id % 2 AS g, id ** 2 AS h FROM Claims',
    'SELECT id & 1 AS a, id | 1 AS b, id << 1 AS c, id >> 1 AS d, ~id AS e, @id AS f, 3! AS g, id ^ 2 AS h FROM Claims',
    "SELECT operadora || 'x' AS a, operadora LIKE 'a%' AS b, operadora NOT LIKE 'a%' AS c, operadora ILIKE 'a%' AS d, operadora NOT ILIKE 'a%' AS e, operadora GLOB 'a*' AS f, operadora SIMILAR TO 'a.*' AS g, operadora ^@ 'a' AS h FROM Claims",
    "SELECT [1, 2] && [2] AS a, [1, 2] @> [2] AS b, [2] <@ [1] AS c, '{\"a\":1}'::JSON -> 'a' AS d, '{\"a\":1}'::JSON ->> 'a' AS e",
    'SELECT quantile_cont(valor, 0.9) AS p90, stddev(valor) AS dp, arg_max(operadora, valor) AS maior FROM Claims',
  )
  expect(warnings).toEqual([])
})

describe('row-level security predicates', () => {
  test('row-level security predicates must be a single condition over known tables and parameters', async () => {
    const predicates: [string, RegExp][] = [
      ['true) OR (true', /não pôde ser lida/],
      ['true FROM Claims', /única condição/],
      ['true, false', /única condição/],
      ['true WHERE true', /única condição/],
      ['*', /única condição/],
      ['true; DROP TABLE x', /só SELECT/],
      ['true UNION SELECT false', /única condição/],
      ['operadora = $outra', /\$username e \$customdata/],
      ['nada = 1', /banco respondeu: Binder Error/],
      ["operadora = getenv('X')", /função getenv/],
      ['operadora IN (SELECT operadora FROM main.Access)', /sem esquema/],
      // In an aggregation table, these would refer to another column or row.
      ["#2 = 'CNU'", /posição/],
      ['EXISTS (SELECT 1 FROM Access WHERE #1 = $username)', /posição/],
      ['rowid < 2', /rowid/],
      ['Claims."RowID" < 2', /rowid/],
      ['id IN (SELECT Claims.rowid)', /rowid/],
    ]
    const roles = predicates.map(([sql], index) => ({ name: `r${index}`, rows: { Claims: sql } }))
    const warnings = await warningsOf({ 'datasets/claims/dataset.json': { ...claimsDataset, roles } })
    const missed = predicates.filter(([, reason], index) => {
      const place = `datasets/claims/dataset.json: roles[${index}].rows.Claims: `
      const warning = warnings.find((text) => text.startsWith(place))
      return !warning || !reason.test(warning)
    })
    expect(missed, warnings.join('\n')).toEqual([])
    expect(warnings.at(-1)).toMatch(/^workspaces\/one\/claims.json: dataset: .* não existe ou não pôde/)
  })

  test('row-level security predicates may end in a comment without disabling the filters', async () => {
    const roles = [{ name: 'r', rows: { Claims: "operadora = 'CNU' -- só esta" } }]
    const service = await serviceWith({
      files: { 'datasets/claims/dataset.json': { ...claimsDataset, roles } },
    })
    const token = await service.embedToken(['r'])
    const target = { table: 'Claims', column: 'id' }
    expect(await service.ids(token, [{ target, operator: 'In', values: [1, 3] }])).toEqual([3])
  })
})

test('row-level security restricts a CTE that has the name of its table', async () => {
  const visuals = [visual('ids', 'WITH Claims AS (SELECT * FROM Claims) SELECT id FROM Claims ORDER BY id')]
  const report = { ...claimsReport, pages: [{ name: 'Main', displayName: 'Principal', visuals }] }
  const service = await serviceWith({ files: { 'workspaces/one/claims.json': report } })
  expect(await service.ids(await service.embedToken(['cnu']))).toEqual([3, 4])
  expect(REPORT).toBe(report.id)
})

test('the check tells values of tables from results', async () => {
  const database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
  onTestFinished(() => database.close())
  const table = { name: 'Claims', hidden: false, columns: new Map() } as unknown as Table
  const limits = {
    tables: new Map([['claims', table]]),
    mayReadHidden: false,
    parameters: [],
    acceptsRetired: false,
  }
  const isStored = async (sql: string) => (await checkSelect(database, sql, limits)).isStored
  for (const sql of [
    'SELECT id, valor AS v FROM Claims WHERE valor > 1 ORDER BY valor * 2 LIMIT 10',
    'SELECT * FROM Claims',
    'SELECT a.id, b.valor FROM Claims a JOIN Claims b USING (id)',
  ])
    expect([sql, await isStored(sql)]).toEqual([sql, true])
  for (const sql of [
    'SELECT id, avg(valor) AS v FROM Claims GROUP BY id',
    'SELECT id, valor / 3 AS v FROM Claims',
    'SELECT * REPLACE (valor / 3 AS valor) FROM Claims',
    'SELECT id FROM Claims GROUP BY id',
    'SELECT v FROM (SELECT avg(valor) AS v FROM Claims)',
    'WITH x AS (SELECT avg(valor) AS v FROM Claims) SELECT v FROM x',
    'SELECT valor FROM Claims UNION ALL SELECT valor FROM Claims',
  ])
    expect([sql, await isStored(sql)]).toEqual([sql, false])
})
