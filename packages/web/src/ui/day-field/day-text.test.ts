import { expect, test } from 'vitest'
import { dayOfText, isoDayOf, maskDay, textOfDay } from './day-text.ts'

const typeIn = (keys: string) => [...keys].reduce((text, key) => maskDay(text + key, text), '')

test('maskDay formats a day while it is typed', () => {
  expect(typeIn('10032026')).toBe('10/03/2026')
  expect(typeIn('10/03/2026')).toBe('10/03/2026')
  expect(typeIn('100')).toBe('10/0')
  expect(maskDay('2026-03-10', '')).toBe('20/26/0310')
  expect(maskDay('10/03', '10/03/')).toBe('10/03')
  expect(maskDay('10/0', '10/03')).toBe('10/0')
  expect(maskDay('', '1')).toBe('')
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
