import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['a line feed', 'duas\nlinhas', '"duas\nlinhas"'],
  ['a carriage return', 'duas\rlinhas', '"duas\rlinhas"'],
  ['both', 'duas\r\nlinhas', '"duas\r\nlinhas"'],
  ['a comma', 'São Paulo, SP', '"São Paulo, SP"'],
  ['a semicolon and a quote', 'a;b "c"', '"a;b ""c"""'],
  ['a formula of two lines', '=A1\nB1', '"\'=A1\nB1"'],
])('a cell with %s stays one cell', (_, nota, cell) => {
  expect(csvLine({ nota, depois: 'fim' }, { nota: 'Nota', depois: 'Depois' })).toBe(`${cell};fim\r\n`)
})
