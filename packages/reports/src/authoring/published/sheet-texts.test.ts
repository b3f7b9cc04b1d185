import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from '../../../test/fixture.ts'
import { type Begun, replacingCalls } from '../../../test/replacing.ts'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'

/* The text of a cell in a text column is the same whatever the other cells of the column are. */

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 240_000 }
const [MONEY, PERCENT, DAY, HOURS] = [1, 2, 3, 4]
const NUMBERS: TestCell[] = [1234.5, -0.25, 7]
const shownNumbers = ['1234,5', '-0,25', '7']

let begun: Begun
beforeAll(async () => {
  const service = await startService()
  await service.loaded
  begun = await replacingCalls(service)
})
afterAll(() => begun.service.stop())

const sheetOf = (...cells: TestCell[]) =>
  workbookOf({
    sheets: [{ rows: [['Unidade', 'Lote'], ...cells.map((cell): TestCell[] => ['A', cell])] }],
    formats: ['"R$" #,##0.00', '0.0%', 'dd/mm/yyyy', '[h]:mm'],
  })
const send = (bytes: Buffer) => begun.draft(bytes, 'Lotes.xlsx')
const texts = ({ preview }: { preview: string[][] }) => preview.map(([, text]) => text)

const publish = async (bytes: Buffer, types: object = {}) => {
  const id = await send(bytes)
  const read = (await begun.post(`/drafts/${id}/read`, { reportName: 'Lotes', types })).json()
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(read.report), author: 'Ana' }
  const { faults, reportId } = (await begun.post(`/drafts/${id}/publish`, body)).json()
  expect(faults).toEqual([])
  const replace = async (next: Buffer) =>
    (await begun.replace(reportId, await send(next), 'Lotes', '/check')).json()
  return { read, replace }
}

test(
  'texts stay as shown in a column that was mixed, when its cells are of one kind later',
  LONG,
  async () => {
    const { read, replace } = await publish(sheetOf(...NUMBERS, 'sem lote'))
    expect(texts(read)).toEqual([...shownNumbers, 'sem lote'])
    for (const [cells, shown] of [
      [NUMBERS, shownNumbers],
      [[{ value: 1234.5, style: MONEY }], ['R$ 1234,5']],
      [[{ value: 0.085, style: PERCENT }], ['8,5%']],
      [[{ value: 46_054, style: DAY }], ['01/02/2026']],
      [[{ value: 1.5, style: HOURS }], ['36:00']],
      [[true], ['VERDADEIRO']],
    ] satisfies [TestCell[], string[]][]) {
      const alone = await replace(sheetOf(...cells))
      expect([alone.faults, texts(alone), alone.remarks]).toEqual([[], shown, []])
      expect(texts(await replace(sheetOf(...cells, 'x')))).toEqual([...shown, 'x'])
    }
  },
)

test('texts stay as shown in a column of numbers whose type is chosen, as in a mixed one', LONG, async () => {
  const { read, replace } = await publish(sheetOf(...NUMBERS), { Lote: 'text' })
  expect(texts(read)).toEqual(shownNumbers)
  expect(texts(await replace(sheetOf(...NUMBERS)))).toEqual(shownNumbers)
  expect(texts(await replace(sheetOf('x', ...NUMBERS)))).toEqual(['x', ...shownNumbers])
})

test(
  'a file without its columns is refused with the rows of which another heading is chosen',
  LONG,
  async () => {
    const { replace } = await publish(sheetOf(...NUMBERS, 'x'))
    const other = workbookOf({
      sheets: [
        {
          rows: [
            ['Unidade', 'Outra'],
            ['A', 1],
          ],
        },
      ],
    })
    expect(await replace(other)).toMatchObject({
      faults: ['Lotes.xlsx: falta a coluna Lote; no arquivo há a mais: Outra'],
      choice: { rows: [{ row: 1 }, { row: 2 }] },
    })
  },
)
