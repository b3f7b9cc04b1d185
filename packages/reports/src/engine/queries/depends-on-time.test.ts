import { expect, test } from 'vitest'
import type { CheckedQuery, Dataset, Predicate } from '../data/catalog.ts'
import { dependsOnTime } from './depends-on-time.ts'

const query = (sql: string) => ({ sql }) as CheckedQuery
const datasetWith = (...rules: string[]) =>
  ({
    roles: rules.map((sql) => ({ name: sql, predicates: new Map([['t', { sql } as Predicate]]) })),
  }) as unknown as Dataset

test.each([
  'SELECT * FROM t WHERE dia = current_date',
  'SELECT * FROM t WHERE dia < CURRENT_TIMESTAMP - INTERVAL 1 DAY',
  'SELECT now(), x FROM t',
  'SELECT today() FROM t',
  'SELECT age(nascimento) FROM t',
  'SELECT get_current_timestamp() FROM t',
  'SELECT localtime, localtimestamp FROM t',
  'SELECT random() FROM t',
])('an answer to %s may change with time', (sql) => {
  expect(dependsOnTime(datasetWith(), [query(sql)])).toBe(true)
  expect(dependsOnTime(datasetWith(sql), [query('SELECT 1')])).toBe(true)
})

test('an answer to other queries does not change until the data does', () => {
  const sql = 'SELECT mes, sum(valor), max(idade) FROM t WHERE ano = 2026 GROUP BY mes'
  expect(dependsOnTime(datasetWith('operadora = $customdata'), [query(sql)])).toBe(false)
})
