import { expect, test } from 'vitest'
import { scalingOf } from './column-scales.ts'

// Kind: a column whose percent signs come and go becomes a hundred times as large or as small.
test('a CSV without signs keeps points, and a spreadsheet is asked: its cells keep 0.08', () => {
  expect(scalingOf('points', false, false, undefined, false)).toEqual({ scale: 'points', factor: '' })
  expect(scalingOf('points', false, false, undefined, true)).toBeUndefined()
  expect(scalingOf('points', true, false, undefined, true)).toEqual({ scale: 'points', factor: '* 100' })
  expect(scalingOf('points', false, false, 'asRead', true)).toEqual({ scale: 'plain', factor: '' })
})
