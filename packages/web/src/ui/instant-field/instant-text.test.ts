import { expect, test } from 'vitest'
import { instantOfTyped, maskTime, typedFrom, typedInWords, typedOf, wholeTime } from './instant-text.ts'

test('converts an instant to Brasília time and back', () => {
  expect(typedOf('2026-03-10T17:30:59.000Z')).toBe('2026-03-10T14:30')
  expect(instantOfTyped('2026-03-10T14:30')).toBe('2026-03-10T17:30:00.000Z')
  expect(instantOfTyped('2026-12-31T23:59')).toBe('2027-01-01T02:59:00.000Z')
  // Brazil had daylight saving time until 2019.
  expect(instantOfTyped('2018-12-01T10:00')).toBe('2018-12-01T12:00:00.000Z')
  expect(typedOf('2018-12-01T12:00:00.000Z')).toBe('2018-12-01T10:00')
})

test('converts an empty text to null and passes on incomplete input', () => {
  expect([typedOf(null), instantOfTyped('')]).toEqual(['', null])
  for (const typed of ['2026-03-10T', 'T14:30', '2026-03-10T25:00', '2026-03-10T1:']) {
    expect(instantOfTyped(typed)).toBe(typed)
  }
})

test('combines day and time and formats them for display', () => {
  expect(typedFrom('2026-03-10', '14:30')).toBe('2026-03-10T14:30')
  expect(typedFrom(undefined, '')).toBe('')
  expect(typedInWords('2026-03-10T14:30')).toBe('10/03/2026 14:30')
  expect(typedInWords('')).toBe('')
})

test.each([
  ['730', '07:30'],
  ['7:30', '07:30'],
  ['1:05', '01:05'],
  ['0730', '07:30'],
])('maskTime reads %s, typed key by key or pasted, as %s', (keys, time) => {
  const typed = [...keys].reduce((text, key) => maskTime(text + key, text), '')
  expect([typed, keys.includes(':') ? maskTime(keys, '') : time]).toEqual([time, time])
})

test('wholeTime completes an hour alone, and changes nothing else', () => {
  expect(['7', '07:', '14', '24', '14:3', '14:30', ''].map(wholeTime)).toEqual([
    '07:00',
    '07:00',
    '14:00',
    '24',
    '14:3',
    '14:30',
    '',
  ])
})

test('maskTime inserts the colon', () => {
  const typeIn = (keys: string) => [...keys].reduce((text, key) => maskTime(text + key, text), '')
  expect([typeIn('1430'), typeIn('14:30'), typeIn('143'), maskTime('14', '14:')]).toEqual([
    '14:30',
    '14:30',
    '14:3',
    '14',
  ])
})
