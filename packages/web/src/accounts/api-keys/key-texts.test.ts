import { describe, expect, test } from 'vitest'
import { endOfKey, expiryOf, groupTitles, usedText } from './key-texts.ts'

const now = Date.parse('2026-03-10T15:00:00Z')

describe('expiryOf', () => {
  test.each([
    ['2026-04-10T15:00:00Z', 'Vence em 10/04/2026', false],
    ['2026-03-16T15:00:00Z', 'Vence em 16/03/2026', true],
    ['2026-03-10T14:00:00Z', 'Venceu em 10/03/2026', true],
    // The day is that of Brasília.
    ['2026-05-01T01:00:00Z', 'Vence em 30/04/2026', false],
  ])('expiryOf words %s as %s', (expiraEm, text, isUrgent) => {
    expect(expiryOf(expiraEm, now)).toEqual({ text, isUrgent })
  })
})

test('usedText says when and from where a key was used', () => {
  expect(usedText({ usadaEm: null, usadaDe: null }, now)).toBe('Nunca usada')
  const used = { usadaEm: '2026-03-10T14:55:00Z', usadaDe: '192.0.2.7' }
  expect(usedText(used, now)).toBe('Usada há 5 min, de 192.0.2.7')
})

test('titles and the last day of a key are in Portuguese', () => {
  expect(groupTitles(['RELATORIOS', 'DADOS'])).toBe('Ver meus relatórios, Ler dados dos relatórios')
  expect(endOfKey(30, now)).toBe('09/04/2026')
})
