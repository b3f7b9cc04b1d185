import fc from 'fast-check'

/*
 * Queries over the tables of `summaries.test.ts`, where the aggregation table of T has keys a,
 * b, c and sums v, w. Most can be answered from it; some cannot: row counts, other columns, or a
 * sum outside `sum(…)`.
 */

const key = fc.constantFrom(
  'a',
  'b',
  'c',
  "date_trunc('month', c)",
  "coalesce(a, '?')",
  'b + 1',
  "CASE WHEN b > 1 THEN 'x' ELSE a END",
)
const condition = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'b > 1',
      "a <> 'x'",
      'b IS NULL',
      "c >= DATE '2024-02-01'",
      "a IN ('x', 'y')",
      'c > (SELECT max(c) - INTERVAL 1 MONTH FROM T)',
      'a IN (SELECT a FROM T WHERE b = 1)',
      'EXISTS (SELECT 1 FROM D WHERE D.a = t.a)',
      'a NOT IN (SELECT d.a FROM D d WHERE d.a IS NOT NULL)',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'v > 2',
      "k <> 'k1'",
      '(SELECT count(*) FROM T) > 5',
      'w IN (SELECT n FROM D)',
      'EXISTS (SELECT 1 FROM D WHERE D.n > v)',
      'EXISTS (SELECT 1 FROM T u WHERE u.w = t.w AND u.b = t.b)',
      '(SELECT max(n) + v FROM D) > 3',
    ),
  },
)
const aggregate = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'sum(v)',
      'sum(w)',
      'sum(t.v)',
      'sum(v) FILTER (WHERE b > 1)',
      "sum(CASE WHEN a = 'x' THEN v ELSE 0 END)",
      "sum(CASE a WHEN 'x' THEN v WHEN 'y' THEN w END)",
      'sum(v) / nullif(sum(w), 0)',
      'round(sum(v) * 100 / nullif((SELECT sum(v) FROM T), 0), 2)',
      'min(b)',
      'max(c)',
      'count(DISTINCT a)',
      'bool_or(b > 1)',
      'sum(sum(v)) OVER ()',
      'rank() OVER (ORDER BY sum(v), sum(w))',
      'coalesce(sum(w), 0)',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'count(*)',
      'count(v)',
      'count(b)',
      'avg(v)',
      'avg(b)',
      'sum(b)',
      'sum(1)',
      'sum(DISTINCT w)',
      'sum(v + w)',
      'sum(w * 2)',
      'sum(-w)',
      'max(v)',
      'max(k)',
      'sum(CASE WHEN v > 2 THEN v END)',
      'sum(CASE WHEN b > 1 THEN v ELSE 1 END)',
      'sum(v) FILTER (WHERE w > 1)',
      'count(DISTINCT w)',
      'count(*) FILTER (WHERE b > 1)',
      '(SELECT count(*) FROM T)',
      '(SELECT sum(n) FROM D WHERE D.a = min(t.a))',
      "string_agg(a, ',' ORDER BY a)",
      'median(b)',
    ),
  },
)
const source = fc.oneof(
  { weight: 4, arbitrary: fc.constant('T t') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '(SELECT * FROM T) t',
      '(SELECT a, b, c, v, w FROM T WHERE b IS NOT NULL) t',
      '(SELECT a, b, c, w AS v, v AS w FROM T) t',
      '(SELECT upper(a) AS a, b, c, v, w FROM T ORDER BY b) t',
      '(SELECT a, b, c, v, w FROM (SELECT * FROM T) s) t',
      '(SELECT t.a, b, c, v, w FROM T t LEFT JOIN D d ON d.a = t.a) t',
      '(SELECT a, b, c, v, w FROM T JOIN D d USING (a)) t',
      '(SELECT t.*, n FROM T t, D) t',
      '(SELECT d.a, b, c, v, w FROM D d LEFT JOIN T t ON t.a = d.a AND t.b = d.n) t',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '(SELECT DISTINCT a, b, c, v, w FROM T) t',
      '(SELECT a, b, c, v, v + w AS w FROM T) t',
      '(SELECT * EXCLUDE (k) FROM T) t',
      '(SELECT a, b, c, v, w FROM T UNION ALL SELECT a, b, c, v, w FROM T) t',
      '(SELECT a, b, c, v, w FROM T ORDER BY ALL LIMIT 20) t',
      '(SELECT t.a, t.b, t.c, t.v, u.w FROM T t JOIN T u ON u.a = t.a AND u.b = t.b) t',
      '(SELECT t.a, b, c, v, w FROM T t JOIN D d ON d.n = w) t',
      '(SELECT a, b, c, v, w, row_number() OVER (ORDER BY k) AS n FROM T) t',
      '(SELECT a, b, c, sum(v) AS v, sum(w) AS w FROM T GROUP BY ALL) t',
      '(SELECT a, b, c, sum(v) AS v, max(w) AS w FROM T GROUP BY ALL) t',
      '(SELECT a, b, c, v, 1 AS w FROM T) t',
    ),
  },
)
const plain = fc
  .record({
    keys: fc.uniqueArray(key, { maxLength: 2 }),
    sums: fc.uniqueArray(aggregate, { maxLength: 3 }),
    source,
    where: fc.option(condition, { nil: undefined, freq: 2 }),
    grouping: fc.constantFrom('ALL', 'sets', 'aliases'),
    having: fc.option(fc.constantFrom('sum(v) > 3', 'm0 IS NOT NULL', 'count(*) > 1'), {
      nil: undefined,
      freq: 4,
    }),
    distinct: fc.boolean(),
  })
  .filter(({ keys, sums }) => keys.length + sums.length > 0)
  .map(({ keys, sums, source, where, grouping, having, distinct }) => {
    const items = [...keys.map((one, at) => `${one} AS k${at}`), ...sums.map((one, at) => `${one} AS m${at}`)]
    const groups =
      grouping === 'sets' ? `GROUPING SETS ((${keys}), ())` : keys.map((_key, at) => `k${at}`).join()
    const isGrouped = keys.length > 0 && sums.length > 0
    return [
      `SELECT ${distinct ? 'DISTINCT ' : ''}${items.join(', ')} FROM ${source}`,
      where ? `WHERE ${where}` : '',
      isGrouped ? `GROUP BY ${grouping === 'ALL' ? 'ALL' : groups}` : '',
      having && sums.length > 0 ? `HAVING ${having}` : '',
    ].join(' ')
  })

export const randomQuery = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 1, arbitrary: plain.map((inner) => `SELECT count(*) AS n, max(q) AS q FROM (${inner}) q`) },
  {
    weight: 1,
    arbitrary: plain.map((inner) => `WITH t AS (${inner}) SELECT * FROM t UNION ALL SELECT * FROM t`),
  },
  {
    weight: 1,
    arbitrary: plain.map((inner) => `WITH T AS (SELECT a, b, c, v, w FROM T WHERE b < 3) ${inner}`),
  },
)
