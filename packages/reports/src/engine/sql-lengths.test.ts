import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { checkSelect } from './sql-check.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(() => database.close())

const column = (name: string) => [name, { name, type: 'VARCHAR', kind: 'text' as const }] as const
const claims = {
  name: 'Claims',
  source: 'x.Claims',
  hidden: false,
  columns: new Map(['id', 'operadora', 'sexo'].map(column)),
}
const tables = new Map([['claims', claims]])
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
])('a join that doubles again and again is refused (%#)', async (sql) => {
  expect(await sentenceOf(sql)).toMatch(/multiplica textos ou listas/)
})

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
])('what reports are made of is taken (%#)', async (sql) => {
  expect(await sentenceOf(sql)).toBe('aceita')
})
