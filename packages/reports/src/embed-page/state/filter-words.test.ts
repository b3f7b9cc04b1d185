import { expect, test } from 'vitest'
import { kindOfColumn, valueWords } from './filter-words.ts'

const report: Parameters<typeof valueWords>[0] = {
  values: {},
  columns: { Claims: ['id', 'dia'], Metas: ['Dia'] },
  columnKinds: { Claims: ['integer', 'date'], Metas: ['text'] },
}

// Kind: a name that differs only in case is a column, and loses the kind of its values.
test.each([
  ['Claims', 'dia'],
  ['claims', 'dia'],
  ['CLAIMS', 'DIA'],
])('a day of %s.%s is written as a day', (table, column) => {
  expect(valueWords(report)({ table, column })('2026-03-05')).toBe('05/03/2026')
})

test('a column that filters may not name has no kind', () => {
  expect(kindOfColumn(report, { table: 'Claims', column: 'toString' })).toBeUndefined()
  expect(kindOfColumn(report, { table: 'toString', column: 'dia' })).toBeUndefined()
  expect(kindOfColumn(report, { table: 'METAS', column: 'dia' })).toBe('text')
})
