import { expect, test } from 'vitest'
import type { EmbeddedVisual } from '../../wire/embed-contract.ts'
import { answerOf } from '../test/answer-of.ts'
import { rowsCsv, visualCsv } from './visual-csv.ts'

const data = answerOf({
  columns: ['chave', 'valor', 'cbo', 'em'],
  kinds: ['integer', 'number', 'text', 'timestamp'],
  rows: [
    ['-1234567890123456789', '12345678901234567890.12', '-2235-05', '2024-05-01T10:20:30.5'],
    [7, -1.5, '=1+1', null],
  ],
  truncated: false,
})

test('programs get all digits of numbers, and instants as they are; texts are no formulas', () => {
  const lines = [
    "-1234567890123456789,12345678901234567890.12,'-2235-05,2024-05-01T10:20:30.5",
    "7,-1.5,'=1+1,",
    '',
  ].join('\r\n')
  const visual = { labels: { chave: 'Chave' } } as unknown as EmbeddedVisual
  expect(visualCsv(visual, data, 10)).toBe(`Chave,valor,cbo,em\r\n${lines}`)
  expect(rowsCsv(data)).toBe(`chave,valor,cbo,em\r\n${lines}`)
})
