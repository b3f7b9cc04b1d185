import { describe, expect, test } from 'vitest'
import { draftOfComment, partsOf, storedText, typedMention, withMention } from './mention-text.ts'

const ana = { idUsuario: 12, nome: 'Ana' }
const souza = { idUsuario: 3, nome: 'Ana Souza' }

test('the mention text stores each chosen person as their id, and nothing else', () => {
  const texto = 'Oi @Ana Souza, e @Ana. @Anabela e @Bia não.'
  expect(storedText({ texto, pessoas: [ana, souza] })).toBe('Oi @{3}, e @{12}. @Anabela e @Bia não.')
  expect(storedText({ texto, pessoas: [] })).toBe(texto)
  const odd = { idUsuario: 4, nome: 'A. (B) $&' }
  expect(storedText({ texto: 'Oi @A. (B) $&!', pessoas: [odd] })).toBe('Oi @{4}!')
})

test('the mention text keeps two people of one name apart', () => {
  const first = withMention({ texto: '@a', pessoas: [] }, { start: 0, end: 2, person: souza })
  const other = { idUsuario: 9, nome: 'Ana Souza' }
  const { draft } = withMention(
    { ...first.draft, texto: `${first.draft.texto}@a` },
    { start: 11, end: 13, person: other },
  )
  expect(draft.texto).toBe('@Ana Souza @Ana Souza (2) ')
  expect(storedText(draft)).toBe('@{3} @{9} ')
})

test('the mention text returns the same text after an edit without changes, also of a deleted account', () => {
  const stored = { texto: '@{3} e @{12} e @{99} de novo @{3}', mencoes: [ana, souza] }
  const draft = draftOfComment(stored)
  expect(draft.texto).toBe('@Ana Souza e @Ana e @Pessoa excluída de novo @Ana Souza')
  expect(storedText(draft)).toBe(stored.texto)
})

test('the mention text splits a text at its mentions', () => {
  expect(partsOf({ texto: '@{12}: veja @{99}', mencoes: [ana] })).toEqual([
    { text: '@Ana', isMention: true },
    { text: ': veja ', isMention: false },
    { text: '@Pessoa excluída', isMention: true },
  ])
})

describe('a name that is being typed', () => {
  const typed = (texto: string, pessoas = [souza]) => typedMention({ texto, pessoas }, texto.length)
  test.each([
    ['@', { start: 0, busca: '' }],
    ['Oi @An', { start: 3, busca: 'An' }],
    ['(@bia li', { start: 1, busca: 'bia li' }],
    ['a\n@b', { start: 2, busca: 'b' }],
  ])('a name that is being typed is found in %j', (text, found) => {
    expect(typed(text)).toEqual(found)
  })

  test.each(['', 'ana@empresa', 'Oi @ ', '@Ana Souza', '@Ana Souza veja', '@a\nb'])(
    'a name that is being typed is not found in %j',
    (text) => {
      expect(typed(text)).toBeUndefined()
    },
  )

  test('a name that is being typed is replaced by the chosen person', () => {
    const { draft, caret } = withMention(
      { texto: 'Oi @an fim', pessoas: [] },
      { start: 3, end: 6, person: souza },
    )
    expect([draft.texto, caret]).toEqual(['Oi @Ana Souza fim', 14])
  })
})
