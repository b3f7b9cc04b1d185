import { expect, test } from 'vitest'
import { placeIn } from './place-in.ts'

test('a sentence leads to its line', () => {
  expect(placeIn('Relatório: name: falta (linha 3, coluna 11)')).toEqual({ line: 3, column: 11 })
  expect(placeIn('x.csv: linha 3: 3 campos')).toBeUndefined()
})
