import { expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { serviceWith } from '../../../../test/fixture.ts'

/*
 * The kind: a call without re-authentication and without an audit line reveals something of published rows.
 */

const csv = (...values: string[]) =>
  ['Unidade;Valor pago', ...values.map((value, row) => `U${row};${value}`)].join('\n')

test('the reading of a draft does not tell whether a published report has its rows', async () => {
  const { draft, call } = await beginDrafts(await serviceWith())
  const read = async (text: string) => {
    const id = await draft(text, 'Custos.csv')
    return { id, ...(await call(`${id}/read`, { reportName: 'Custos' })) }
  }
  const first = await read(csv('1,5', '2,5', '3,75'))
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(first.report), author: 'Ana' }
  expect((await call(`${first.id}/publish`, body)).faults).toEqual([])
  const [equal, other] = [await read(csv('1,5', '2,5', '3,75')), await read(csv('1,5', '2,5', '3,85'))]
  expect([equal.remarks, equal.faults]).toEqual([[], []])
  expect(Object.keys(equal)).toEqual(Object.keys(other))
  expect(other.remarks).toEqual(equal.remarks)
})
