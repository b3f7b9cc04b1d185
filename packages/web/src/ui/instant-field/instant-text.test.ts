import { expect, test } from 'vitest'
import { instantOfTyped, maskTime, typedFrom, typedInWords, typedOf, wholeTime } from './instant-text.ts'

test('the instant text converts an instant to Brasília time and back', () => {
  expect(typedOf('2026-03-10T17:30:59.000Z')).toBe('2026-03-10T14:30')
  expect(instantOfTyped('2026-03-10T14:30')).toBe('2026-03-10T17:30:00.000Z')
  expect(instantOfTyped('2026-12-31T23:59')).toBe('2027-01-01T02:59:00.000Z')
  // Brazil had daylight saving time until 2019.
  expect(instantOfTyped('2018-12-01T10:00')).toBe('2018-12-01T12:00:00.000Z')
  expect(typedOf('2018-12-01T12:00:00.000Z')).toBe('2018-12-01T10:00')
})

test('the instant text converts an empty text to null and passes on incomplete input', () => {
  expect([typedOf(null), instantOfTyped('')]).toEqual(['', null])
  for (const typed of ['2026-03-10T', 'T14:30', '2026-03-10T25:00', '2026-03-10T1:']) {
    expect(instantOfTyped(typed)).toBe(typed)
  }
})

test('the instant text combines day and time and formats them for display', () => {
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

test.each([
  ['10:30', '1:30', 'the second digit of the hour is deleted'],
  ['17:30', '1:30', 'the second digit of the hour is deleted'],
  ['12:30', '2:30', 'the first digit of the hour is deleted'],
  ['07:30', '7:30', 'the zero is deleted'],
  ['1:30', ':30', 'the hour is deleted'],
  [':30', '1:30', 'the first digit of another hour is typed'],
  ['1:30', '18:30', 'its second digit is typed'],
  ['10:30', '8:30', 'the hour is selected and overtyped'],
  ['10:30', '10:0', 'the first digit of the minutes is deleted'],
  ['10:30', '1030', 'the colon is deleted'],
  [':3', ':30', 'minutes are typed before the hour'],
])('maskTime leaves the correction %s → %s as it is typed: %s', (before, text) => {
  expect(maskTime(text, before)).toBe(text)
})

test.each([
  ['7:30', '07:30'],
  ['7h30', '07:30'],
  ['14h30', '14:30'],
  [' 7:30', '07:30'],
  ['0730', '07:30'],
  ['730', '07:30'],
  ['7:5', '07:5'],
])('maskTime reads the pasted %s as %s', (pasted, time) => {
  expect(maskTime(pasted, '')).toBe(time)
})

test.each([
  ['7', '07:00'],
  ['07:', '07:00'],
  ['14', '14:00'],
  ['1:30', '01:30'],
  ['1030', '10:30'],
  ['24', '24'],
  ['14:3', '14:3'],
  ['1:3', '1:3'],
  [':30', ':30'],
  ['130', '130'],
  ['14:30', '14:30'],
  ['', ''],
])('wholeTime completes %s to %s, and changes no time that can be read in two ways', (typed, time) => {
  expect(wholeTime(typed)).toBe(time)
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
