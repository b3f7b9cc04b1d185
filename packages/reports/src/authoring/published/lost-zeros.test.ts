import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLAIN, PLAIN_REPORT, startService } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { type Begun, publishFile, replacingCalls } from '../../../test/replacing.ts'
import { workbookOf } from '../../../test/workbooks.ts'

/* Programs that take codes for numbers drop the zeros at their start. */

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 120_000 }
const HEADING = ['CEP', 'DDD', 'CPF', 'Valor']
const ROWS = [
  ['01310-100', '011', '01234567890', '1,5'],
  ['20040-020', '021', '98765432100', '2,5'],
]
const LOST = [
  ['1310100', '11', '1234567890', '3,5'],
  ['20040020', '21', '98765432100', '4,5'],
]
const RESTORED = ROWS.map((row) => row.slice(0, 3))
const csvOf = (rows: string[][], heading = HEADING) =>
  [heading, ...rows].map((row) => row.join(';')).join('\n')
const codesIn = ({ preview }: { preview: string[][] }) => preview.map((row) => row.slice(0, 3))

let begun: Begun
beforeAll(async () => {
  const service = await startService({
    files: {
      'datasets/plain/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.csv' } } },
      'datasets/plain/c.csv': csvOf(ROWS),
    },
  })
  await service.loaded
  begun = await replacingCalls(service)
}, 120_000)
afterAll(() => begun.service.stop())

const check = async (report: string, bytes: string | Buffer, name: string, more: object = {}) =>
  (
    await begun.replace(
      report,
      await begun.draft(bytes, name),
      report === PLAIN_REPORT ? 'Claims' : 'Custos',
      '/check',
      more,
    )
  ).json()

describe('codes that lost their zeros', LONG, () => {
  test('codes that lost their zeros get them again, and the answer says so: CSV, XLSX and Parquet', async () => {
    const { reportId } = await publishFile(begun, csvOf(ROWS))
    const sheet = workbookOf({
      sheets: [{ rows: [HEADING, ...LOST.map((row) => row.map((cell) => Number(cell.replace(',', '.'))))] }],
    })
    const parquet = await parquetOf(
      `SELECT * FROM (VALUES ${LOST.map((row) => `('${row.slice(0, 3).join("', '")}', ${row[3]?.replace(',', '.')})`).join(', ')}) rows(CEP, DDD, CPF, Valor)`,
    )
    for (const [bytes, name] of [
      [csvOf(LOST), 'novo.csv'],
      [sheet, 'novo.xlsx'],
      [Buffer.from(parquet), 'novo.parquet'],
    ] as const) {
      const checked = await check(reportId, bytes, name)
      expect(checked, name).toMatchObject({ faults: [] })
      expect(codesIn(checked), name).toEqual(RESTORED)
      expect(checked.changes, name).toEqual([
        'na coluna CEP, 2 valores sem zeros à esquerda ou sem os sinais, como 1310100, ficaram como os publicados: 01310-100',
        'na coluna DDD, 2 valores sem zeros à esquerda, como 11, ficaram como os publicados: 011',
        'na coluna CPF, 1 valor sem zeros à esquerda, como 1234567890, ficou como os publicados: 01234567890',
      ])
    }
    const { changes } = await check(reportId, csvOf(LOST), 'novo.csv', { quotesData: false })
    expect(changes[1]).toBe('na coluna DDD, 2 valores sem zeros à esquerda ficaram como os publicados')
    const published = (await begun.replace(reportId, await begun.draft(csvOf(LOST)), 'Custos')).json()
    expect(published).toMatchObject({ faults: [] })
    // Once more: the published ones have their zeros.
    expect(codesIn(await check(reportId, csvOf(LOST), 'novo.csv'))).toEqual(RESTORED)
  })

  test('codes that lost their zeros get them again where a folder has the table as CSV', async () => {
    const checked = await check(PLAIN_REPORT, csvOf(LOST), 'novo.csv')
    expect(checked).toMatchObject({ faults: [] })
    expect(codesIn(checked)).toEqual(RESTORED)
  })

  test('replaced codes keep what is no code without its zeros', async () => {
    const texts = [
      ['01310-100', '05/03/2026', '0.5'],
      ['20040-020', '15/03/2026', '1.2'],
    ]
    const lines = csvOf(texts, ['CEP', 'Quando', 'Versão'])
    const { reportId } = await publishFile(begun, lines, { types: { Quando: 'text' } })
    const next = [
      ['1310-10', '5/3/2026', '5'],
      ['s/n', '2026', '12'],
      ['01310-100', '05/03/2026', '0.5'],
    ]
    const checked = await check(reportId, csvOf(next, ['CEP', 'Quando', 'Versão']), 'novo.csv')
    expect(checked).toMatchObject({ faults: [], changes: [] })
    expect(codesIn(checked)).toEqual(next)
  })

  test('codes that lost their zeros are refused where published codes have different lengths', async () => {
    const rows = (texts: string[]) =>
      csvOf(
        texts.map((text, index) => [text, String(index)]),
        ['Lote', 'Valor'],
      )
    const codes = Array.from({ length: 20 }, (_, index) => (index % 2 ? `0${index}` : `00${index * 37}`))
    const { reportId } = await publishFile(begun, rows(codes))
    const refused = await check(reportId, rows(codes.map((code) => String(Number(code)))), 'novo.csv')
    expect(refused.faults).toEqual([
      'novo.csv: a coluna Lote perdeu os zeros à esquerda, que os publicados têm: no programa que grava o arquivo, formate a coluna como texto',
    ])
    expect(await check(reportId, rows(codes), 'novo.csv')).toMatchObject({ faults: [], changes: [] })
  })
})
