import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createReportData } from './report-data-api.ts'

const answered = async (answer: object) => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => void server.close())
  const api = `http://localhost:${(server.address() as AddressInfo).port}`
  const addresses = { local: { api } } as unknown as Parameters<typeof createReportData>[0]['addresses']
  const data = createReportData({ addresses, timeoutMs: 5_000 })
  return data.read({ token: 't', reportId: 'r' }, { page: 'p', filters: [], visuals: ['v'] })
}

test('the reader of the API names the cells that are not numbers, which alerts and assistants would read as blank', async () => {
  const v = {
    columns: ['nome', 'custo'],
    rows: [
      ['a', null],
      ['b', null],
      ['c', 1],
    ],
    truncated: false,
    // The row after the last one is that of the totals.
    notNumbers: [
      [0, 1, 'NaN'],
      [1, 1, '-Infinity'],
      [3, 1, 'NaN'],
    ],
  }
  const { visuals } = await answered({ visuals: { v }, failures: {} })
  expect(visuals.v?.rows).toEqual([
    ['a', 'não é um número'],
    ['b', '−infinito'],
    ['c', 1],
  ])
})

test('the reader of the API reads answers of services that list no such cells', async () => {
  const v = { columns: ['custo'], rows: [[null]], truncated: false }
  expect((await answered({ visuals: { v }, failures: {} })).visuals.v?.rows).toEqual([[null]])
})
