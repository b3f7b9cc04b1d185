import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type TestCell, workbookOf } from '../../../../test/workbooks.ts'
import { convertSheet } from '../../spreadsheets/convert-sheet.ts'
import type { SheetOrder } from '../../spreadsheets/sheet-answer.ts'
import { scanCsv } from '../csv/scan-csv.ts'

/* Kind: a file with so many columns is read to its end before it is refused. */

const WAY =
  'Deixe no arquivo só as que o relatório usa; se há uma por mês ou por ano, ponha o período em uma coluna e uma linha para cada um'
const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`)
const orders: SheetOrder[] = [{}, { expected: [['c1'], ['c2']] }, { heading: { first: 1, count: 1 } }]

describe('a spreadsheet with too many columns', () => {
  const faultOf = (rows: TestCell[][], order: SheetOrder, withoutAddresses = false) => {
    const answer = convertSheet(workbookOf({ sheets: [{ rows }], withoutAddresses }), order, () => {})
    return 'fault' in answer ? answer.fault : undefined
  }
  const broken: TestCell = { xml: '<c r="A1"><v>1</v></c>' }

  test.each(orders)(
    'a spreadsheet with too many columns is refused at its heading, with the order %o',
    (order) => {
      const rows = [namesOf(600), ...Array.from({ length: 60 }, () => [1]), [broken, broken]]
      expect(faultOf(rows, order)).toBe(`tem 600 colunas; o limite é 500. ${WAY}`)
    },
  )

  test('a spreadsheet with too many columns is refused at the first row that has them', () => {
    const rows = [namesOf(3), ...Array.from({ length: 60 }, () => [1, 2, 3]), namesOf(600), [broken, broken]]
    expect(faultOf(rows, {})).toBe(`tem 600 colunas; o limite é 500. ${WAY}`)
  })

  test.each([true, false])(
    'a spreadsheet with too many columns may have more than Excel: %s',
    (withoutAddresses) => {
      expect(faultOf([namesOf(20_000), [1]], {}, withoutAddresses)).toBe(
        `tem mais de 16.384 colunas; o limite é 500. ${WAY}`,
      )
    },
  )

  test('a spreadsheet with too many columns in another sheet is read', () => {
    const sheets = [
      { name: 'Larga', rows: [namesOf(600), [1]] },
      {
        name: 'Certa',
        rows: [
          ['x', 'y'],
          [1, 2],
        ],
      },
    ]
    const answer = convertSheet(workbookOf({ sheets }), { expected: [['x'], ['y']] }, () => {})
    expect(answer).toMatchObject({ choice: { sheet: 'Certa' } })
  })
})

test.each(orders)(
  'a CSV with too many columns is refused before its rows are split, with the order %o',
  async (order) => {
    const folder = await mkdtemp(join(tmpdir(), 'largo-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'largo.csv')
    const row = namesOf(600).map((_name, index) => index)
    await writeFile(
      file,
      [namesOf(600), ...Array.from({ length: 60 }, () => row)].map((one) => one.join(';')).join('\n'),
    )
    const decode = vi.spyOn(TextDecoder.prototype, 'decode')
    onTestFinished(() => decode.mockRestore())
    await expect(scanCsv(file, { isBare: false, ...order })).rejects.toThrow(
      `tem 600 colunas; o limite é 500. ${WAY}`,
    )
    expect(decode.mock.calls.length).toBe(0)
  },
)
