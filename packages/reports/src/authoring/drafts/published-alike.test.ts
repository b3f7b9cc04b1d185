import { expect, test } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import { serviceWith } from '../../../test/fixture.ts'

const lines = ['A;1,5;01/03/2026', 'B;2,5;02/03/2026', 'C;;03/03/2026']
const csv = (...rows: string[]) => ['Unidade;Valor pago;Dia', ...rows].join('\n')

test('a draft names the published report that has its rows', { timeout: 120_000 }, async () => {
  const { draft, call } = await beginDrafts(await serviceWith())
  const read = async (text: string) => {
    const id = await draft(text, 'Custos.csv')
    return { id, ...(await call(`${id}/read`, { reportName: 'Custos' })) }
  }
  const first = await read(csv(...lines))
  expect(first.remarks).toEqual([])
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(first.report), author: 'Ana' }
  expect((await call(`${first.id}/publish`, body)).faults).toEqual([])

  const again = await read(csv(...lines.toReversed()))
  expect(again.remarks).toEqual([
    'Custos.csv: o relatório “Custos” já tem estes mesmos dados. Para trocar os dados dele, use Substituir dados',
  ])
  expect(again).not.toHaveProperty('digest')
  expect((await read(csv(...lines.slice(1)))).remarks).toEqual([])
  expect((await read(csv(...lines).replace('2,5', '2,6'))).remarks).toEqual([])
  expect((await read(csv(...lines).replace('Dia', 'Data'))).remarks).toEqual([])
  // Publishing stays possible.
  const second = { ...body, report: JSON.stringify(again.report) }
  expect((await call(`${again.id}/publish`, second)).faults).toEqual([])
})
