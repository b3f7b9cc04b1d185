import { MAX_UPLOAD_BYTES } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { assertSendable } from './data-file.ts'

describe('assertSendable', () => {
  const file = (name: string, parts: BlobPart[]) => new File(parts, name)
  test.each(['a.csv', 'a.TXT', 'a.tsv', 'a.parquet', 'a.xlsx', 'a.XLSM', 'a.xls', 'a.ods'])(
    'assertSendable leaves %s to the report service',
    (name) => expect(() => assertSendable(file(name, ['a;b\n']))).not.toThrow(),
  )

  test.each([
    ['a.png', ['x'], /Escolha um arquivo CSV, XLSX ou Parquet/],
    ['a.pdf', ['x'], /Um PDF não tem colunas: exporte os dados como XLSX ou CSV/],
    ['a.numbers', ['x'], /nele, exporte a planilha como Excel \(XLSX\)/],
    ['a.DOCX', ['x'], /copie a tabela para uma planilha e salve-a como XLSX/],
    ['a.csv', [], /está vazio/],
    ['a.xlsx', [new Uint8Array(MAX_UPLOAD_BYTES + 1)], /tem 10 MB; o limite é 10 MB\. Publique/],
  ] as [string, BlobPart[], RegExp][])(
    'assertSendable refuses %s with a sentence',
    (name, parts, sentence) => {
      expect(() => assertSendable(file(name, parts))).toThrow(sentence)
    },
  )
})
