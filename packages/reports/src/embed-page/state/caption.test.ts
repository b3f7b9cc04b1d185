import { expect, test } from 'vitest'
import { dataTimeText } from './caption.ts'

test("the caption writes the time of the data on Brasília's clock, and nothing when it is not known", () => {
  expect(dataTimeText('2026-11-28T11:30:00.000Z')).toBe('Dados de 28/11/2026, 08:30')
  expect(dataTimeText('2026-11-28T01:30:00.000Z')).toBe('Dados de 27/11/2026, 22:30')
  expect(dataTimeText(undefined)).toBe('')
})
