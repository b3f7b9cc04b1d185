import { DATA_FILE_BYTES } from '@bi-manager/contract'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { csvOf, dataFileOf } from './data-file.ts'

describe('csvOf', () => {
  test('writes numbers, dates and texts so that the service cannot take one for another', () => {
    const day = new Date('2026-03-05T00:00:00Z')
    const moment = new Date('2026-03-05T14:30:15Z')
    expect(
      csvOf([
        ['Data', 'Hora', 'Valor', 'Nome', 'Ativo'],
        [day, moment, 1234.5, 'a, "b"', true],
        [day, moment, -0.001, 'duas\nlinhas', false],
      ]),
    ).toBe(
      'Data,Hora,Valor,Nome,Ativo\n2026-03-05,2026-03-05 14:30:15,1234.5,"a, ""b""",true\n2026-03-05,2026-03-05 14:30:15,-0.001,"duas\nlinhas",false\n',
    )
  })

  test('begins at the first row with a value, and leaves out empty rows and columns', () => {
    expect(
      csvOf([
        [null, null, null],
        ['', 'Unidade', null, 'Valor', null],
        [null, null, null, null, null],
        [null, 'Centro', null, 2, 'nota'],
      ]),
    ).toBe('Unidade,Valor,Coluna 5\nCentro,2,nota\n')
  })
})

describe('dataFileOf', () => {
  const file = (name: string, parts: BlobPart[]) => new File(parts, name)
  test('sends CSV and Parquet as they are', async () => {
    for (const name of ['a.csv', 'a.TXT', 'a.parquet']) {
      const chosen = file(name, ['a;b\n'])
      expect(await dataFileOf(chosen)).toEqual({ chosen: name, name, bytes: chosen })
    }
  })

  test.each([
    ['a.xls', ['x'], /XLS é antigo/],
    ['a.pdf', ['x'], /Escolha um arquivo CSV, XLSX ou Parquet/],
    ['a.csv', [], /está vazio/],
    ['a.csv', [new Uint8Array(DATA_FILE_BYTES + 1)], /tem 10 MB; o limite é 10 MB\. Publique/],
    ['a.xlsx', ['no zip'], /planilha não pôde ser lida/],
    ['a.xlsx', [zipSync({ 'x.txt': strToU8('x') })], /planilha não pôde ser lida/],
  ] as [string, BlobPart[], RegExp][])('refuses %s with a sentence', async (name, parts, sentence) => {
    await expect(dataFileOf(file(name, parts))).rejects.toThrow(sentence)
  })
})
