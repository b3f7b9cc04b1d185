import { expect, test } from 'vitest'
import { el } from '../style/dom.ts'
import { applyCellFormat, createCellFormatter } from './cell-formats.ts'

test('lookOf draws a bar from zero, with room on the left for negative numbers', () => {
  const rising = createCellFormatter({ kind: 'bar' }, 'number', () => [10, 40])
  expect(rising(10)).toEqual({ kind: 'bar', from: 0, to: 0.25, below: false })
  const both = createCellFormatter({ kind: 'bar' }, 'number', () => [-10, 30])
  expect(both(-10)).toEqual({ kind: 'bar', from: 0, to: 0.25, below: true })
  expect(both(30)).toEqual({ kind: 'bar', from: 0.25, to: 1, below: false })
  expect(both(null)).toBeUndefined()
  expect(createCellFormatter({ kind: 'bar' }, 'number', () => [0])(0)).toBeUndefined()
})

test('lookOf shades between minimum and maximum, also for 200,000 numbers', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => index)
  const look = createCellFormatter({ kind: 'scale' }, 'number', () => many)
  expect([0, 199_999].map((value) => look(value))).toEqual([
    { kind: 'shade', strength: 0 },
    { kind: 'shade', strength: 1 },
  ])
  expect(createCellFormatter({ kind: 'scale' }, 'number', () => [5])(5)).toBeUndefined()
})

test('lookOf draws digits that no double holds, and no bars for texts', () => {
  const look = createCellFormatter({ kind: 'bar' }, 'integer', () => ['20000000000000001', 0])
  expect(look('20000000000000001')).toEqual({ kind: 'bar', from: 0, to: 1, below: false })
  expect(createCellFormatter({ kind: 'bar' }, 'text', () => ['10', '20'])('10')).toBeUndefined()
})

test('applyLook shows the tone of a rule as a mark before the number', () => {
  const look = createCellFormatter(
    { kind: 'rules', rules: [{ operator: '>', value: 0.8, tone: 'bad' }] },
    'number',
    () => [],
  )
  const cell = el('td', {}, '82,3%')
  applyCellFormat(cell, look(0.823))
  expect([cell.className, cell.textContent]).toEqual(['toned in-bad', 'Crítico82,3%'])
  expect(look(0.5)).toBeUndefined()
  const plain = el('td', {}, '50,0%')
  applyCellFormat(plain, look(0.5))
  expect([plain.className, plain.textContent]).toEqual(['', '50,0%'])
})
