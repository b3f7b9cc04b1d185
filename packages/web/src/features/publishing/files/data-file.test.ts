import { DATA_FILE_BYTES } from '@bi-manager/contract'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { dataFileOf } from './data-file.ts'

describe('dataFileOf', () => {
  const file = (name: string, parts: BlobPart[]) => new File(parts, name)
  test('sends CSV and Parquet as they are', async () => {
    for (const name of ['a.csv', 'a.TXT', 'a.parquet']) {
      const chosen = file(name, ['a;b\n'])
      expect(await dataFileOf(chosen)).toEqual({ chosen: name, size: 4, name, bytes: chosen })
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
