import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { spreadsheetOf } from '../../test/stand-ins/spreadsheets.ts'
import { readSpreadsheet } from './read-spreadsheet.ts'

test('returns the first sheet as CSV', async () => {
  const file = spreadsheetOf(
    [
      ['Unidade', 'Valor'],
      ['Centro, Sul', 1234.5],
    ],
    [['Outra']],
  )
  expect(await readSpreadsheet(Buffer.from(file))).toBe('Unidade,Valor\n"Centro, Sul",1234.5\n')
})

test.each([
  ['no zip', Buffer.from('PK\u0003\u0004…')],
  ['a zip without sheets', Buffer.from(zipSync({ 'x.txt': strToU8('x') }))],
])('refuses %s', async (_name, bytes) => {
  await expect(readSpreadsheet(bytes)).rejects.toThrow(/^A planilha não pôde ser lida/)
})

test('refuses a zip that grows too much', async () => {
  const zip = zipSync({ 'a.xml': new Uint8Array(151 * 1024 * 1024) }, { level: 1 })
  await expect(readSpreadsheet(Buffer.from(zip))).rejects.toThrow(/^A planilha é grande demais/)
})

test('ends the process at the time limit', async () => {
  const file = Buffer.from(spreadsheetOf([['Valor'], [1]]))
  await expect(readSpreadsheet(file, { timeMs: 50 })).rejects.toThrow(/^A planilha é grande demais/)
})
