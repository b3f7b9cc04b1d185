import { expect, test } from 'vitest'
import { lineOf } from './csv.ts'

test('a line of a list has texts that are no formulas, words for truth, local times and plain numbers', () => {
  const row = {
    nota: 'a,=1',
    ativo: true,
    em: new Date('2026-01-31T02:59:59Z'),
    saldo: -1.5,
    lista: ['-x', 'y'],
    vazio: null,
    outro: 'sem coluna',
  }
  const columns = { nota: '', ativo: '', em: '', saldo: '', lista: '', vazio: '', falta: '' }
  expect(lineOf(row, columns)).toBe(`"a,'=1";sim;30/01/2026 23:59:59;-1.5;"[""-x"",""y""]";;\r\n`)
})
