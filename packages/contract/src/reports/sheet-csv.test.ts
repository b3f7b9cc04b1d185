import { describe, expect, test } from 'vitest'
import { csvOfSheet } from './sheet-csv.ts'

describe('csvOfSheet', () => {
  test('writes numbers, dates and texts so that the service cannot take one for another', () => {
    const day = new Date('2026-03-05T00:00:00Z')
    const moment = new Date('2026-03-05T14:30:15Z')
    expect(
      csvOfSheet([
        ['Data', 'Hora', 'Valor', 'Nome', 'Ativo'],
        [day, moment, 1234.5, 'a, "b"', true],
        [day, moment, -0.001, 'duas\nlinhas', false],
      ]),
    ).toBe(
      'Data,Hora,Valor,Nome,Ativo\n2026-03-05,2026-03-05 14:30:15,1234.5,"a, ""b""",true\n2026-03-05,2026-03-05 14:30:15,-0.001,"duas\nlinhas",false\n',
    )
  })

  test('quotes what the reader could take for another separator', () => {
    expect(
      csvOfSheet([
        ['Unidade', 'Tipo; motivo', 'a|b|c'],
        ['Centro', 'x', 1],
      ]),
    ).toBe('Unidade,"Tipo; motivo","a|b|c"\nCentro,x,1\n')
  })

  test('begins at the first row with a value, and leaves out empty rows and columns', () => {
    expect(
      csvOfSheet([
        [null, null, null],
        ['', 'Unidade', null, 'Valor', null],
        [null, null, null, null, null],
        [null, 'Centro', null, 2, 'nota'],
      ]),
    ).toBe('Unidade,Valor,Coluna 5\nCentro,2,nota\n')
  })
})
