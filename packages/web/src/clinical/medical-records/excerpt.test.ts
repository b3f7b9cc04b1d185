import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

test('the excerpt returns a short text whole, on one line', () => {
  expect(excerptOf('  Dor torácica.\n\nSem febre. ')).toBe('Dor torácica. Sem febre.')
})

test('the excerpt cuts a long text at the end of a word, without its punctuation', () => {
  const excerpt = excerptOf(`${'palavra '.repeat(16)}última, continuação do texto`)
  expect(excerpt.endsWith('palavra última…')).toBe(true)
  expect(excerpt.length).toBeLessThanOrEqual(141)
})

test('the excerpt cuts a text without spaces too', () => {
  expect(excerptOf('a'.repeat(10_000))).toBe(`${'a'.repeat(140)}…`)
})
