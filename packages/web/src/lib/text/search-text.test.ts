import { DOMAIN_PAIRS, OTHER_DOMAINS, OTHER_NAMES, SEARCH_PAIRS } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { matchesNameOrId, matchesSearch } from './search-text.ts'

test('a text matches with every word of the search, in any order, accents aside', () => {
  expect(matchesSearch('Faturamento por operação', 'OPERACAO fatur')).toBe(true)
  expect(matchesSearch('Faturamento por operação', 'faturamento custos')).toBe(false)
  expect(matchesSearch('Faturamento', '  ')).toBe(true)
})

test('an id matches as a whole only, not by a word of the search', () => {
  const id = '0A4f2b10-04c1-4b5e-9d57-2d6f3c1e7a90'
  expect(matchesNameOrId('Comercial 12', id, 'comercial 04')).toBe(false)
  expect(matchesNameOrId('Comercial 12', id, '12 comercial')).toBe(true)
  expect(matchesNameOrId('Comercial 12', id, ' 0a4F2B10-04c1 ')).toBe(true)
})

test.each([...SEARCH_PAIRS, ...DOMAIN_PAIRS])('%s finds %s', (typed, name) => {
  expect(matchesSearch(name, typed)).toBe(true)
})

test.each([...OTHER_NAMES, ...OTHER_DOMAINS])('%s does not find %s', (typed, name) => {
  expect(matchesSearch(name, typed)).toBe(false)
})
