import { expect, test } from 'vitest'
import { differencesOf, mergeChoices } from './conflict.ts'

const option = (value: number, label: string) => ({ value, label })
const opened = { nome: 'Vendas', grupo: option(1, 'Um'), ativo: true }

test('the conflict proposes the only side that changed a field, and marks fields that both changed', () => {
  const typed = { nome: 'Vendas RS', grupo: option(1, 'Um'), ativo: false }
  const current = { nome: 'Vendas SC', grupo: option(2, 'Dois'), ativo: true }
  expect(
    differencesOf(opened, typed, current).map(({ field, proposed, isContested }) => [
      field,
      proposed,
      isContested,
    ]),
  ).toEqual([
    ['nome', 'mine', true],
    ['grupo', 'theirs', false],
    ['ativo', 'mine', false],
  ])
})

test('the conflict ignores equal changes and a renamed option', () => {
  const typed = { ...opened, nome: 'Vendas RS' }
  const current = { ...typed, nome: ' Vendas RS', grupo: option(1, 'Um, renomeado') }
  expect(differencesOf(opened, typed, current)).toEqual([])
})

test("the conflict merges the chosen fields into the server's state", () => {
  const typed = { nome: 'Vendas RS', grupo: option(3, 'Três'), ativo: false }
  const current = { nome: 'Vendas SC', grupo: option(2, 'Dois'), ativo: true }
  expect(mergeChoices(typed, current, { nome: 'mine', grupo: 'theirs' })).toEqual({
    nome: 'Vendas RS',
    grupo: option(2, 'Dois'),
    ativo: true,
  })
})
