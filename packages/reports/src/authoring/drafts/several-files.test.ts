import { expect, test } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import { serviceWith } from '../../../test/fixture.ts'

const costs = 'Unidade;Valor\nCentro;1,5\nNorte;2,5\nCentro;3\n'
const units = 'Unidade;Cidade\nCentro;Curitiba\nNorte;Londrina\n'

const begin = async (person?: string) => {
  const service = await serviceWith()
  const calls = await beginDrafts(service, person)
  const read = async (text: string, name: string) => {
    const id = await calls.draft(text, name)
    const reading = await calls.call(`${id}/read`, { reportName: 'Custos' })
    return { id, ...reading }
  }
  const first = await read(costs, 'Custos.csv')
  const joined = JSON.stringify(first.report).replace(
    'FROM Custos',
    "FROM Custos JOIN Unidades USING (Unidade) WHERE Cidade = 'Curitiba'",
  )
  return { service, calls, read, first, body: { workspace: { name: 'Área' }, report: joined } }
}

test('several files become tables of one dataset, in a preview and in the publication', async () => {
  const { service, calls, read, first, body } = await begin()
  const second = await read(units, 'Unidades.csv')
  expect(second.tables).toEqual([{ name: 'Unidades', columns: ['Unidade', 'Cidade'] }])
  const alone = await calls.call(`${first.id}/check`, body)
  expect(alone.faults[0]).toMatch(/Unidades/)
  const both = { ...body, others: [second.id] }
  const shown = await calls.call(`${first.id}/preview`, both)
  const seen = (await service.data(shown.token, [], 'geral', shown.reportId)).json()
  expect(seen.visuals.total_1.rows).toEqual([[2]])
  const { faults, reportId, workspaceId } = await calls.call(`${first.id}/publish`, both)
  expect(faults).toEqual([])
  const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
  const { token } = (await service.rest(calls.token, 'POST', path, { accessLevel: 'View' })).json()
  const { visuals } = (await service.data(token, [], 'geral', reportId)).json()
  expect(visuals.total_1.rows).toEqual([[2]])
})

test('the report of several files refuses two files with one name, files that were not read, and files of other people', async () => {
  const { service, calls, read, first, body } = await begin()
  const check = async (id: string) => await calls.call(`${first.id}/check`, { ...body, others: [id] })
  expect((await check((await read(units, 'custos.csv')).id)).faults).toEqual([
    'custos.csv: outro arquivo já é a tabela custos. Mude o nome de um dos dois.',
  ])
  expect((await check(await calls.draft(units, 'Unidades.csv'))).faults).toEqual([
    'Unidades.csv: ainda não foi lido.',
  ])
  const other = await beginDrafts(service, 'bia')
  const theirs = await other.draft(units, 'Unidades.csv')
  await other.call(`${theirs}/read`, { reportName: 'x' })
  expect((await check(theirs)).error.code).toBe('DraftNotFound')
})
