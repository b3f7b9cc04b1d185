import { describe, expect, test } from 'vitest'
import type { ColumnFormat, ColumnKind } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { columnFormat, compareNumbers, formatOf, hasNumbers, numbersIn } from './column-format.ts'
import { formatCell } from './format.ts'

describe('columnFormat', () => {
  test.each<[ColumnKind, ColumnFormat | undefined, string, string]>([
    // CBO codes and others look like months and days.
    ['text', undefined, '2235-05', '2235-05'],
    ['text', 'moeda', '2235-05-01', '2235-05-01'],
    ['text', undefined, '12345678901234567890', '12345678901234567890'],
    ['other', undefined, '2024-05-01', '2024-05-01'],
    // What the author declares is no guess.
    ['text', 'mes', '2024-05', 'mai/24'],
    ['text', 'data', '2024-05-01', '01/05/2024'],
    ['date', undefined, '2024-05-01', '01/05/2024'],
    ['date', 'mes', '2024-05-01', 'mai/24'],
    ['date', 'texto', '2024-05-01', '2024-05-01'],
    ['date', 'inteiro', '2024-05-01', '01/05/2024'],
    ['time', undefined, '14:30:00', '14:30:00'],
    ['timestamp', 'data', '2024-05-01T14:30:00', '01/05/2024'],
    ['timestamp', undefined, '2024-05-01T14:30:00', '01/05/2024 14:30'],
  ])('columnFormat writes a cell of kind %s with the format %s: %s as %s', (kind, format, cell, text) => {
    expect(
      formatCell(
        cell,
        columnFormat(kind, format, () => [cell]),
      ),
    ).toBe(text)
  })

  test.each([
    ['no time of day', ['2024-05-01T00:00:00', '2024-06-01T00:00:00'], '01/05/2024'],
    ['minutes', ['2024-05-01T00:00:00', '2024-06-01T10:30:00'], '01/05/2024 00:00'],
    ['seconds', ['2024-05-01T00:00:00', '2024-06-01T10:30:01'], '01/05/2024 00:00:00'],
  ])('columnFormat writes the instants of a column alike: %s', (_name, cells, first) => {
    const rows = cells.map((cell) => [cell])
    const data = answerOf({ columns: ['em'], kinds: ['timestamp'], rows, truncated: false })
    expect(formatCell(cells[0], formatOf({ format: {} }, data, 'em'))).toBe(first)
  })
})

test('numbers are those of columns of numbers, whatever texts look like', () => {
  const rows = [
    ['10', '9007199254740993', null],
    ['20', 4, null],
  ]
  const data = answerOf({
    columns: ['codigo', 'chave', 'vazia'],
    kinds: ['text', 'integer', 'integer'],
    rows,
    truncated: false,
  })
  expect(data.columns.map((_, index) => numbersIn(data, index))).toEqual([[], [2 ** 53, 4], []])
  expect(data.columns.map((_, index) => hasNumbers(data, index))).toEqual([false, true, false])
})

test.each([
  ['9007199254740993', '9007199254740994', -1],
  ['-9007199254740993', '-9007199254740994', 1],
  ['0.30000000000000000001', 0.3, 1],
  [0.0000001, '0.00000010000000000000000001', -1],
  ['10', 9, 1],
  ['12345678901234567890.12', '12345678901234567890.12', 0],
])('compareNumbers compares %s and %s digit by digit', (one, other, sign) => {
  expect(Math.sign(compareNumbers(one, other))).toBe(sign)
})
