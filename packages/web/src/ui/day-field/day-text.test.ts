import { expect, test } from 'vitest'
import { dayOfText, isoDayOf, maskDay, textOfDay, wholeDay } from './day-text.ts'

const typeIn = (keys: string) => [...keys].reduce((text, key) => maskDay(text + key, text), '')

test('maskDay formats a day while it is typed', () => {
  expect(typeIn('10032026')).toBe('10/03/2026')
  expect(typeIn('10/03/2026')).toBe('10/03/2026')
  expect(typeIn('100')).toBe('10/0')
  expect(typeIn('1/3/2026')).toBe('01/03/2026')
  expect(maskDay('10/03', '10/03/')).toBe('10/03')
  expect(maskDay('10/0', '10/03')).toBe('10/0')
  expect(maskDay('', '1')).toBe('')
})

test.each([
  ['2026-03-10', '10/03/2026'],
  ['1/3/2026', '01/03/2026'],
  ['10.03.2026', '10/03/2026'],
  ['10032026', '10/03/2026'],
])('maskDay reads the pasted %s as %s', (pasted, day) => {
  expect(maskDay(pasted, '')).toBe(day)
})

test.each([
  ['12/10/2026', '1/10/2026', 'the second digit of the day is deleted'],
  ['12/10/2026', '12/1/2026', 'the second digit of the month is deleted'],
  ['12/10/2026', '/10/2026', 'the day is deleted'],
  ['/10/2026', '1/10/2026', 'the first digit of another day is typed'],
  ['1/10/2026', '15/10/2026', 'its second digit is typed'],
  ['12/10/2026', '12/10/206', 'a digit of the year is deleted'],
])('maskDay leaves the correction %s → %s as it is typed: %s', (before, text) => {
  expect(maskDay(text, before)).toBe(text)
})

test('maskDay drops a third digit of the day or the month', () => {
  expect([maskDay('120/03/206', '10/03/206'), maskDay('10/013/206', '10/03/206')]).toEqual([
    '12/03/206',
    '10/01/206',
  ])
})

test.each([
  ['1/3/2026', '01/03/2026'],
  ['1/10/2026', '01/10/2026'],
  ['10/03/2026', '10/03/2026'],
  ['10/03/20', '10/03/20'],
  ['/03/2026', '/03/2026'],
  ['31/2/2026', '31/02/2026'],
  ['', ''],
])('wholeDay completes %s to %s', (typed, day) => {
  expect(wholeDay(typed)).toBe(day)
})

test('dayOfText and isoDayOf accept existing days only', () => {
  expect(dayOfText('10/03/2026')).toBe('2026-03-10')
  expect(dayOfText('29/02/2028')).toBe('2028-02-29')
  for (const text of ['', '31/02/2026', '00/01/2026', '10/13/2026', '10/03/0000', '1/3/2026']) {
    expect(dayOfText(text), text).toBeUndefined()
  }
  expect(isoDayOf('2026-02-30')).toBeUndefined()
  expect(isoDayOf(null)).toBeUndefined()
  expect(textOfDay('2026-03-10')).toBe('10/03/2026')
  expect(textOfDay(undefined)).toBe('')
})
