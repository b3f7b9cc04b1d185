import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginReplacing } from '../../../test/replacing.ts'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'
import { openDatabase } from '../../engine/data/database/database.ts'

/* A spreadsheet replaces the rows of a CSV, and a CSV those of a spreadsheet. */

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 120_000 }
const PERCENT = 1
const csv = (heading: string, ...values: string[]) =>
  [`Unidade;${heading}`, ...values.map((value, index) => `U${index};${value}`)].join('\n')
const xlsx = (heading: string, ...values: TestCell[]) =>
  workbookOf({
    sheets: [
      { rows: [['Unidade', heading], ...values.map((cell, index): TestCell[] => [`U${index}`, cell])] },
    ],
    formats: ['0.0%'],
  })
const percent = (value: number): TestCell => ({ value, style: PERCENT })

/** Publishes a file, and returns calls that replace its rows and read them. */
const publish = async (bytes: string | Buffer, choices: object = {}) => {
  const { service, post, draft, replace } = await beginReplacing()
  const id = await draft(bytes, typeof bytes === 'string' ? 'Custos.csv' : 'Custos.xlsx')
  const { report } = (await post(`/drafts/${id}/read`, { reportName: 'Custos', ...choices })).json()
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(report), author: 'Ana' }
  const { faults, reportId } = (await post(`/drafts/${id}/publish`, body)).json()
  expect(faults).toEqual([])
  return {
    replace: async (next: string | Buffer, how: object = {}) =>
      (
        await replace(
          reportId,
          await draft(next, typeof next === 'string' ? 'novo.csv' : 'novo.xlsx'),
          'Custos',
          '',
          how,
        )
      ).json(),
    /** The stored values of the second column. */
    values: async (): Promise<number[]> => {
      const parent = join(service.dataDir, 'datasets')
      const [folder = ''] = (await readdir(parent)).filter((name) =>
        name.endsWith(report.dataset.slice(0, 8)),
      )
      const database = await openDatabase({ memoryMegabytes: 64, timeoutMs: 10_000 })
      const rows = await database.load(`SELECT * FROM '${join(parent, folder, 'dados.parquet')}'`)
      await database.close()
      return rows.map((row) => Number(row[1]))
    },
  }
}

describe('the decimal mark', () => {
  test(
    'the decimal mark that was chosen for a CSV holds for texts of a spreadsheet, and for a CSV after it',
    LONG,
    async () => {
      const { replace, values } = await publish(csv('Peso', '3.250', '2.980'), { decimal: '.' })
      expect(await replace(xlsx('Peso', '1.500', '1.250'))).toMatchObject({
        faults: [],
        reading: { decimal: '.', isInDoubt: false },
      })
      expect(await values()).toEqual([1.5, 1.25])
      // Cells of numbers have no mark, and change none.
      expect(await replace(xlsx('Peso', 4.5, 3))).toMatchObject({ faults: [], reading: { decimal: null } })
      expect(await replace(csv('Peso', '1.125', '2.500'))).toMatchObject({
        faults: [],
        reading: { decimal: '.' },
      })
      expect(await values()).toEqual([1.125, 2.5])
    },
  )

  test('the decimal mark that was chosen for a spreadsheet holds for a CSV', LONG, async () => {
    const { replace, values } = await publish(xlsx('Peso', '3.250', '2.980'), { decimal: '.' })
    expect(await replace(csv('Peso', '1.500', '1.250'))).toMatchObject({ faults: [] })
    expect(await values()).toEqual([1.5, 1.25])
  })

  test('the decimal mark is asked of a CSV that replaces numbers of cells', LONG, async () => {
    const { replace, values } = await publish(xlsx('Peso', 3.25, 2.98))
    const asked = await replace(csv('Peso', '1.500', '1.250'))
    expect(asked).toMatchObject({ faults: [expect.stringContaining('pode ser lida de duas formas')] })
    expect(await values()).toEqual([3.25, 2.98])
    expect(await replace(csv('Peso', '1.500', '1.250'), { decimal: ',' })).toMatchObject({ faults: [] })
    expect(await values()).toEqual([1500, 1250])
  })
})

describe('a column', () => {
  const change = ['a coluna Valor era número inteiro e agora é número']

  test('a column becomes wider in both directions', LONG, async () => {
    const fromCsv = await publish(csv('Valor', '100', '200'))
    expect(await fromCsv.replace(xlsx('Valor', 99.9, 1))).toMatchObject({ faults: [], changes: change })
    expect(await fromCsv.values()).toEqual([99.9, 1])
    const fromSheet = await publish(xlsx('Valor', 100, 200))
    expect(await fromSheet.replace(csv('Valor', '99,90', '1'))).toMatchObject({ faults: [], changes: change })
    expect(await fromSheet.values()).toEqual([99.9, 1])
  })

  test('a column of percentages is never a hundred times as large', LONG, async () => {
    const { replace, values } = await publish(csv('Taxa', '8%', '12,5%'))
    const same = { faults: [], changes: [], questions: [] }
    expect(await replace(xlsx('Taxa', percent(0.08), percent(0.5)))).toMatchObject(same)
    expect(await values()).toEqual([0.08, 0.5])
    expect(await replace(csv('Taxa', '9%', '10%'))).toMatchObject(same)
    expect(await values()).toEqual([0.09, 0.1])
    // Numbers without the format may be 8 for 8%.
    for (const plain of [xlsx('Taxa', 8, 9), csv('Taxa', '8', '9')])
      expect(await replace(plain)).toMatchObject({
        questions: [{ name: 'Taxa', hasSign: false, example: '8' }],
      })
    expect(await values()).toEqual([0.09, 0.1])
    expect(await replace(xlsx('Taxa', 8, 9), { scales: { Taxa: 'divided' } })).toMatchObject({ faults: [] })
    expect(await values()).toEqual([0.08, 0.09])
  })

  test('a column of percentages of a spreadsheet stays the same in a CSV', LONG, async () => {
    const { replace, values } = await publish(xlsx('Taxa', percent(0.08), percent(0.125)))
    expect(await replace(csv('Taxa', '8%', '12,5%'))).toMatchObject({
      faults: [],
      changes: [],
      questions: [],
    })
    expect(await values()).toEqual([0.08, 0.125])
  })
})

test('rows of totals stay out of a spreadsheet that replaces a CSV', LONG, async () => {
  const { replace, values } = await publish(`${csv('Valor', '1', '2', '3')}\nTotal;6`, {
    withoutTotals: true,
  })
  const rows: TestCell[][] = [
    ['Unidade', 'Valor'],
    ['A', 4],
    ['B', 5],
    ['C', 6],
    ['Total', 15],
  ]
  expect(await replace(workbookOf({ sheets: [{ rows }] }))).toMatchObject({
    faults: [],
    rows: 3,
    reading: { totals: 1, withoutTotals: true },
  })
  expect(await values()).toEqual([4, 5, 6])
})
