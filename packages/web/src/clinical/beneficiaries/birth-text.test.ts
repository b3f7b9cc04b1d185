import { expect, test } from 'vitest'
import { ageText, birthText } from './birth-text.ts'

test.each([
  ['10/03/1980', '2026-03-09', '45 anos'],
  ['10/03/1980', '2026-03-10', '46 anos'],
  ['29/02/2024', '2025-02-28', '11 meses'],
  ['29/02/2024', '2025-03-01', '1 ano'],
  ['15/12/2025', '2026-01-14', 'menos de 1 mês'],
  ['15/12/2025', '2026-01-15', '1 mês'],
  ['15/12/2025', '2025-12-14', undefined],
  ['31/02/1980', '2026-01-01', undefined],
])("ageText('%s') on %s is %s", (birthDate, today, text) => {
  expect(ageText(birthDate, today)).toBe(text)
})

test('birthText shows a dash without a date of birth', () => {
  expect(birthText({ data_nascimento: null })).toBe('—')
  expect(birthText({ data_nascimento: '10/03/1980' })).toMatch(/^10\/03\/1980 \(\d+ anos\)$/)
})
