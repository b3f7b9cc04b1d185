import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { checkSelect } from './sql-check.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ memoryMegabytes: 512, timeoutMs: 10_000 })
})
afterAll(() => database.close())

const column = (name: string, longest = 40) =>
  [name, { name, type: 'VARCHAR', kind: 'text' as const, longest }] as const
const claims = {
  name: 'Claims',
  source: 'x.Claims',
  hidden: false,
  columns: new Map(['id', 'operadora', 'sexo'].map(column)),
}
/** Texts of 30,000 letters. */
const notes = {
  ...claims,
  name: 'Notes',
  source: 'x.Notes',
  columns: new Map([column('id'), column('note', 30_000)]),
}
const tables = new Map([
  ['claims', claims],
  ['notes', notes],
])
const sentenceOf = (sql: string) =>
  checkSelect(database, sql, { tables, mayReadHidden: false, parameters: [] }).then(
    () => 'aceita',
    (error: Error) => error.message,
  )

const levels = (open: string, inmost: string, close = ')') => open.repeat(30) + inmost + close.repeat(30)
const nested = (expression: string, start = "'a'") =>
  levels(`SELECT ${expression} AS s FROM (`, `SELECT ${start} AS s`)

it.each([
  ...[
    's || s',
    'concat(s, s)',
    "concat_ws('', s, s)",
    "format('{0}{0}', s)",
    "printf('%s%s', s, s)",
    'CASE WHEN true THEN s || s END',
    "replace(s, 'b', '') || substring(s, 1)",
    '(SELECT s || s)',
    'max(s || s)',
    "concat_ws(s, 'a', 'b', 'c')",
    "array_to_string(string_split(s, ''), ' - ')",
    "list_aggregate(string_split(s, ''), 'string_agg', ' - ')",
    "json_extract(s, ['$', '$'])::VARCHAR",
    "(s -> ['$', '$'])::VARCHAR",
    "regexp_extract(s, '((.*))', ['a', 'b'])::VARCHAR",
    '[s, s]::VARCHAR',
    "{'x': s, 'y': s}::VARCHAR",
    '(s, s)::VARCHAR',
    // Only the escapes inside double.
    '[s]::VARCHAR',
    'list(s)::VARCHAR',
    "string_split(s, ',')::VARCHAR",
  ].map((expression) => nested(expression)),
  ...['s || s', 'list_concat(s, s)', 's + s', '[s, s]', 'list_transform(s, lambda x: x || x)'].map(
    (expression) => nested(expression, "['a']"),
  ),
  // Each way in which one SELECT hands on to another.
  `WITH a AS (${nested('s || s')}) SELECT s FROM a`,
  `WITH s0 AS (SELECT 'a' AS s), ${Array.from({ length: 30 }, (_, at) => `s${at + 1} AS (SELECT s || s AS s FROM s${at})`).join(', ')} SELECT length(s) AS n FROM s30`,
  `SELECT 'a' AS s0, ${Array.from({ length: 30 }, (_, at) => `s${at} || s${at} AS s${at + 1}`).join(', ')}`,
  `SELECT id FROM Claims WHERE length((${nested('s || s')})) > 1`,
  `SELECT id FROM Claims JOIN (${nested('s || s')}) t ON true`,
  `SELECT id FROM Claims GROUP BY id HAVING length((${nested('s || s')})) > 1`,
  `SELECT id FROM Claims UNION ALL ${nested('s || s')}`,
  nested('s || s').replaceAll('AS s FROM (SELECT', 'AS s FROM (SELECT NULL AS s UNION ALL SELECT'),
  levels('SELECT y || y FROM (', 'SELECT operadora FROM Claims', ') t(y)'),
  // Columns without a name of their own, stars, whole rows.
  levels('SELECT "(s || s)" || "(s || s)" AS "(s || s)" FROM (', "SELECT s || s FROM (SELECT 'a' AS s)"),
  levels('SELECT * REPLACE (s || s AS s) FROM (', "SELECT 'a' AS s"),
  levels('SELECT COLUMNS(*) || COLUMNS(*) FROM (', "SELECT 'a' AS s"),
  levels('SELECT t::VARCHAR AS s FROM (SELECT s AS a, s AS b FROM (', "SELECT 'a' AS s", ')) t'),
  levels('SELECT concat(*COLUMNS(*)) AS s FROM (SELECT s AS a, s AS b FROM (', "SELECT 'a' AS s", '))'),
  // Lists that an aggregate makes, and texts that one puts together of many rows.
  nested('max(s, 2)::VARCHAR'),
  nested('min(s, 2)::VARCHAR', "'a'''"),
  nested('arg_max(s, 1, 2)::VARCHAR'),
  nested('max_by(s, 1, 2)::VARCHAR'),
  nested('arg_min(s, 1, 2)::VARCHAR'),
  nested('min_by(s, 1, 2)::VARCHAR'),
  nested('quantile_disc(s, [0.5, 0.5])::VARCHAR'),
  nested("quantile_disc(s, '[0.5, 0.5]')::VARCHAR"),
  nested('list_zip([s])::VARCHAR'),
  nested('(s::VARCHAR[])::VARCHAR'),
  nested('(max(s, 2) OVER ())::VARCHAR'),
  nested('(list(s) OVER ())::VARCHAR'),
  nested("string_agg(s || s, '') OVER ()"),
  nested('list(s)', "'a'''").replace('SELECT list(s)', "SELECT 'a' AS s UNION ALL SELECT list(s)"),
  "SELECT listagg(sexo, ',') OVER () AS x FROM Claims",
  nested("regexp_replace(s, '', 'b', 'g')"),
  // The value that a method is called of is one more argument.
  nested('s.concat(s)'),
])('a join that doubles again and again is refused (%#)', async (sql) => {
  expect(await sentenceOf(sql)).toMatch(/multiplica textos ou listas/)
})

const gathered = "(SELECT string_agg('a', '') AS s FROM range(250000))"
it.each([
  `SELECT replace(s, 'a', '${'b'.repeat(900)}') AS s FROM ${gathered}`,
  `SELECT regexp_replace(s, 'a', 'bb', 'g') AS s FROM ${gathered}`,
  `SELECT max(length(s || range)) AS n FROM range(2048), ${gathered}`,
  `SELECT max(length(substring(s, range))) AS n FROM range(2048), ${gathered}`,
  `SELECT concat_ws('-', s, range) AS n FROM range(2048), ${gathered}`,
  `SELECT format('{}{}', s, s) AS n FROM ${gathered}`,
  `SELECT array_to_string(string_split(s, ''), s) AS n FROM ${gathered}`,
  `SELECT string_split(s, '') AS n FROM ${gathered}`,
  `SELECT [s] AS n FROM ${gathered}`,
  `SELECT list_transform(list(operadora), lambda x: x || '!') AS l FROM Claims`,
  `SELECT array_to_string(list(operadora), '${' '.repeat(21)}') AS l FROM Claims`,
  "SELECT 'Todas: ' || group_concat(operadora) AS x FROM Claims",
  'SELECT t || t AS x FROM (SELECT list(operadora) AS t FROM Claims)',
  'SELECT left(string_agg(operadora), 1001) || sexo AS x FROM Claims',
  'SELECT left(string_agg(operadora), length(max(sexo))) || sexo AS x FROM Claims',
])('what an aggregate puts together of many rows grows no further (%#)', async (sql) => {
  expect(await sentenceOf(sql)).toMatch(/multiplica textos ou listas.*left/)
})

it.each([
  'SELECT note || note || note || note AS s FROM Notes',
  "SELECT replace(note, 'a', 'bbbb') AS s FROM Notes",
  'SELECT max(length(s || s || s || s)) AS n FROM (SELECT upper(note) AS s FROM Notes, Claims)',
  `SELECT length(${'upper('.repeat(40)}note${')'.repeat(40)}) AS n FROM Notes`,
  `SELECT ${Array.from({ length: 40 }, (_, at) => `upper(note) AS s${at}`).join(', ')} FROM Notes`,
])('long texts of the data count by their length (%#)', async (sql) => {
  expect(await sentenceOf(sql)).toMatch(/textos longos.*left\(coluna, 500\)/)
})

it.each([
  'SELECT id, note FROM Notes',
  "SELECT id || ': ' || note AS s, lower(note) AS t FROM Notes",
  "SELECT left(note, 500) || left(note, 100) || ' ' || substring(note, 1, 200) || id AS s FROM Notes",
  "SELECT replace(left(note, 500), 'a', 'bbbb') AS s FROM Notes WHERE note LIKE '%alta%'",
  'SELECT count(DISTINCT note) AS n, max(length(note)) AS longest FROM Notes',
])('and are taken where little is made of them (%#)', async (sql) => {
  expect(await sentenceOf(sql)).toBe('aceita')
})

it('more constants than a call has room for arguments are counted', async () => {
  const list = Array.from({ length: 150_000 }, (_, at) => at).join(',')
  expect(await sentenceOf(`SELECT id FROM Claims WHERE length(operadora) IN (${list})`)).toBe('aceita')
  expect(await sentenceOf(`SELECT list_contains([${list}], 1) AS x FROM Claims`)).toBe('aceita')
}, 30_000)

it.each([
  // A text for each letter of another.
  "SELECT list_transform(string_split(operadora, ''), lambda x: operadora) AS l FROM Claims",
  "SELECT list_transform(string_split(operadora, ''), lambda x: (SELECT max(operadora) FROM Claims)) AS l FROM Claims",
])('nor may the elements of a list become something from elsewhere: %s', async (sql) => {
  expect(await sentenceOf(sql)).toMatch(/só pode usar o próprio elemento/)
})

const sumOf = (many: number) => Array(many).fill('id').join(' + ')
it.each([
  "WITH a AS (SELECT *, operadora || ' (' || coalesce(sexo, '?') || ')' AS quem FROM Claims), b AS (SELECT quem || ' - ' || id AS quem FROM a), c AS (SELECT concat_ws('; ', quem, quem) AS quem FROM b) SELECT 'Nome: ' || quem AS quem FROM c",
  `SELECT * FROM (SELECT * FROM (SELECT * FROM (SELECT *, ${sumOf(60)} + ${sumOf(60)} AS soma FROM (SELECT *, ${sumOf(60)} AS parte FROM Claims))))`,
  levels('SELECT s + s AS s FROM (', 'SELECT 1 AS s'),
  "SELECT ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'][3] || '/' || id AS mes FROM Claims",
  "WITH operadora AS (SELECT DISTINCT operadora FROM Claims) SELECT operadora || '!' AS nome FROM operadora",
  "SELECT array_to_string(list(DISTINCT operadora), ', ') AS nomes, concat_ws(' · ', operadora, sexo, id) AS quem FROM Claims GROUP BY ALL",
  "SELECT list_transform(string_split(operadora, '_'), lambda parte: upper(parte[1]) || lower(parte[2:])) AS p FROM Claims",
  `SELECT CASE ${Array.from({ length: 200 }, (_, at) => `WHEN id = ${at} THEN 'Faixa ' || ${at}`).join(' ')} END || '' AS faixa FROM Claims`,
  Array(40).fill("SELECT operadora || ' ' || sexo AS quem FROM Claims").join(' UNION ALL '),
  "WITH RECURSIVE r(n, caminho) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, caminho || '/' || n FROM r WHERE n < 5) SELECT * FROM r",
  levels('SELECT * FROM (', 'SELECT * FROM Claims'),
  "SELECT 'Todas: ' || left(string_agg(DISTINCT operadora, ', '), 500) || '.' AS nomes FROM Claims",
  "SELECT string_agg(operadora, ', ' ORDER BY operadora) AS nomes, replace(max(sexo), 'a', 'bb') AS s FROM Claims",
  "SELECT coalesce(upper(string_agg(DISTINCT operadora, ', ')), '-') AS nomes FROM Claims",
  "SELECT array_to_string(list_sort(list_distinct(list(operadora))), ', ') AS nomes, list(sexo)[1] AS s FROM Claims",
  "SELECT length(string_agg(operadora, '')) + 1 AS n, array_length(list(operadora)) AS m FROM Claims",
  'SELECT quantile_cont(length(operadora), 0.9) + 1 AS p90, max(operadora, 3) AS tres, quantile_cont(length(sexo), [0.1, 0.9])[2] AS p FROM Claims',
  'SELECT lag(operadora) OVER (ORDER BY id) || sexo AS x, sum(length(id)) OVER () AS n, operadora.upper() AS o FROM Claims',
  "SELECT nomes FROM (SELECT string_agg(operadora, ', ') AS nomes FROM Claims) WHERE nomes <> '' ORDER BY nomes",
])('what reports are made of is taken (%#)', async (sql) => {
  expect(await sentenceOf(sql)).toBe('aceita')
})
