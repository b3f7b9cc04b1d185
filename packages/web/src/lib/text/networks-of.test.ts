import { expect, test } from 'vitest'
import { networksOf } from './networks-of.ts'

test('networksOf splits lines, commas and spaces', () => {
  expect(networksOf(' 192.0.2.0/24,\n 10.0.0.1;2001:db8::/32  ')).toEqual([
    '192.0.2.0/24',
    '10.0.0.1',
    '2001:db8::/32',
  ])
  expect(networksOf('  ')).toEqual([])
})
