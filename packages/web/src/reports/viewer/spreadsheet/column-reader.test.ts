import { expect, test } from 'vitest'
import { columnReader } from './column-reader.ts'

/** Returns what the cells of a column become: a number or boolean, a text in quotes, or its style too. */
const typed = (...column: string[]) => {
  const read = columnReader(column)
  return column.map((text) => {
    const cell = read(text)
    if (!cell) return null
    if ('text' in cell) return `“${cell.text}”`
    return 'isTrue' in cell ? cell.isTrue : [cell.number, cell.style]
  })
}
const dayOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569

test.each([
  [
    ['1234.5', '-0.125', '12'],
    [
      [1234.5, 'general'],
      [-0.125, 'general'],
      [12, 'general'],
    ],
  ],
  [['0.30000000000000004'], [[0.1 + 0.2, 'general']]],
  [
    ['1.234,56', '7,50'],
    [
      [1234.56, 'twoDecimals'],
      [7.5, 'twoDecimals'],
    ],
  ],
  [
    ['1,234.56', '1,234'],
    [
      [1234.56, 'twoDecimals'],
      [1234, 'whole'],
    ],
  ],
  [['1.234.567'], [[1234567, 'whole']]],
  [
    ['R$ 1.234,56', '-R$ 2,00', 'R$ -3,10'],
    [
      [1234.56, 'money'],
      [-2, 'money'],
      [-3.1, 'money'],
    ],
  ],
  [
    ['12,5%', '3 %', '-0,14%'],
    [
      [0.125, 'percent'],
      [0.03, 'percent'],
      [-0.0014, 'percent'],
    ],
  ],
  [
    ['0,14%', '-1.234,5%'],
    [
      [0.0014, 'percent'],
      [-12.345, 'percent'],
    ],
  ],
  // One value decides for the column.
  [
    ['1.234', '1.234,5'],
    [
      [1234, 'whole'],
      [1234.5, 'decimal'],
    ],
  ],
  [
    ['1.234', '1.2345'],
    [
      [1.234, 'general'],
      [1.2345, 'general'],
    ],
  ],
  [
    ['2024', ''],
    [[2024, 'general'], null],
  ],
  [['123.456.789.012,50'], [[123456789012.5, 'twoDecimals']]],
] as const)('the column reader reads numbers: %j', (column, cells) => {
  expect(typed(...column)).toEqual(cells)
})

test.each([
  [
    ['2026-05-12', '2026-05-13T00:00:00'],
    [
      [dayOf('2026-05-12'), 'day'],
      [dayOf('2026-05-13'), 'day'],
    ],
  ],
  [['2026-05-12 18:00:00'], [[dayOf('2026-05-12') + 0.75, 'instant']]],
  [
    ['12/05/2026', '13/05/2026'],
    [
      [dayOf('2026-05-12'), 'day'],
      [dayOf('2026-05-13'), 'day'],
    ],
  ],
  [
    ['5/12/2026 12:00:00 AM', '5/13/2026 6:00:00 PM'],
    [
      [dayOf('2026-05-12'), 'day'],
      [dayOf('2026-05-13') + 0.75, 'instant'],
    ],
  ],
  [['05/05/2026'], [[dayOf('2026-05-05'), 'day']]],
  [
    ['True', 'false'],
    [true, false],
  ],
] as const)('the column reader reads days and truth values: %j', (column, cells) => {
  expect(typed(...column)).toEqual(cells)
})

test.each([
  ['a formula', '=1+1'],
  ['a plus sign', '+5'],
  ['an address', '@SUM(A1)'],
  ['a minus sign before a name', '-cmd'],
  ['two signs', '-R$ -1,00'],
  ['leading zeros', '007'],
  ['one group of thousands, or three decimals', '1.234'],
  ['one group of thousands, or three decimals', 'R$ 1,234'],
  ['a day that may be of May or December', '12/05/2026'],
  ['that with a time', '12/05/2026 10:00:00'],
  ['many digits', '12345678901234567890'],
  ['the digits of a company', '12345678000195'],
  ['an exponent', '1E+15'],
  ['a day that does not exist', '2026-02-30'],
  ['a day that spreadsheets do not count', '1899-12-31'],
  ['a time that does not exist', '2026-02-20 25:00'],
  ['an instant of another zone', '2026-05-12T10:00:00Z'],
  ['digits of another script', '१२'],
  ['wrong groups', '1.23.456'],
  ['infinity', 'Infinity'],
  ['hexadecimal', '0x1F'],
])('%s stays text: %s', (_, text) => {
  expect(typed(text)).toEqual([`“${text}”`])
})

test('a column with one text is text', () => {
  expect(typed('12', '007', '3.5')).toEqual(['“12”', '“007”', '“3.5”'])
  expect(typed('13/05/2026', 'sem data')).toEqual(['“13/05/2026”', '“sem data”'])
})

test('texts keep their spaces, and empty cells stay empty', () => {
  expect(typed('  a ', '', ' ')).toEqual(['“  a ”', null, '“ ”'])
  expect(typed(' 12 ', '')).toEqual([[12, 'general'], null])
})
