import { expect, test } from 'vitest'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'

/* The kind: a form offers what fails an hour later, when the file is made. */

const { suite, start } = exportSuite()

const offered = async (provedor: 'local' | 'microsoft') => {
  const { get, report } = await start({}, {}, provedor)
  const { status, body } = await get(`/usuarios/relatorio/${report.idRelatorio}/assinaturas/opcoes`)
  return [status, body.formatos]
}

test('a subscription offers the formats that the report service can make now', async () => {
  suite.provider.answer('exportFormats', () => ({ body: { value: ['XLSX'] } }))
  expect(await offered('local')).toEqual([200, ['XLSX']])
  expect(await offered('microsoft')).toEqual([200, ['PDF', 'PNG']])
  suite.provider.restore()
  expect(await offered('local')).toEqual([200, ['PDF', 'PNG', 'XLSX']])
})

test.each([
  ['is away', { status: 503 }],
  ['is of an earlier version', { status: 404 }],
  ['does not answer', { delay: 5_000 }],
])('every format is offered while the report service %s', async (_, answer) => {
  suite.provider.answer('exportFormats', () => answer)
  expect(await offered('local')).toEqual([200, ['PDF', 'PNG', 'XLSX']])
})
