import { expect, test } from 'vitest'
import { csvCell, csvFile, csvLine } from './csv-text.ts'

test.each([
  ['a line feed', 'duas\nlinhas', '"duas\nlinhas"'],
  ['a carriage return', 'duas\rlinhas', '"duas\rlinhas"'],
  ['both', 'duas\r\nlinhas', '"duas\r\nlinhas"'],
  ['a comma', 'São Paulo, SP', '"São Paulo, SP"'],
  ['a tab', 'a\tb', '"a\tb"'],
  ['a semicolon and a quote', 'a;b "c"', '"a;b ""c"""'],
  ['nothing to quote', 'Ana d’Ávila 10%', 'Ana d’Ávila 10%'],
])('csvCell keeps a cell with %s one cell', (_, text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test.each([...'=+-@\t\r＝＋－＠'])('csvCell writes no formula that starts with %j', (sign) => {
  for (const before of ['', 'a;', 'a,', 'a\t', 'a\n', 'a\r'])
    expect(csvCell(`${before}${sign}1`)).toContain(`${before}'${sign}`)
  expect(csvCell(`a ${sign} 1`)).not.toContain("'")
})

test('csvFile writes what Brazilian spreadsheets open, and csvLine other delimiters', () => {
  expect(
    csvFile([
      ['nome', 'senha'],
      ['Ana', '=1'],
    ]),
  ).toBe("\uFEFFnome;senha\r\nAna;'=1\r\n")
  expect(csvLine(['1', '2'], ',')).toBe('1,2\r\n')
})
