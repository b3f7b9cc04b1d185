import { expect, test } from 'vitest'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'

/* The kind: a form offers what fails an hour later, when the file is made. */

const { suite, start } = exportSuite()

const offered = async (provedor: 'local' | 'microsoft') => {
  const { get, report } = await start({}, {}, provedor)
  const { status, body } = await get(`/usuarios/relatorio/${report.idRelatorio}/assinaturas/opcoes`)
  return [status, body.formatos, body.servicoResponde]
}

test('a subscription offers the formats that the report service can make now', async () => {
  suite.provider.answer('exportFormats', () => ({ body: { value: ['XLSX'] } }))
  expect(await offered('local')).toEqual([200, ['XLSX'], true])
  expect(await offered('microsoft')).toEqual([200, ['PDF', 'PNG'], true])
  suite.provider.restore()
  expect(await offered('local')).toEqual([200, ['PDF', 'PNG', 'XLSX'], true])
})

test.each([
  ['is away', { status: 503 }],
  ['answers wrongly', { body: { value: 'XLSX' } }],
  ['does not answer', { delay: 5_000 }],
])('a subscription offers no format while the report service %s, and says so', async (_, answer) => {
  suite.provider.answer('exportFormats', () => answer)
  expect(await offered('local')).toEqual([200, [], false])
})

test('a subscription offers every format of a service of an earlier version, which does not say', async () => {
  suite.provider.answer('exportFormats', () => ({ status: 404 }))
  expect(await offered('local')).toEqual([200, ['PDF', 'PNG', 'XLSX'], true])
})
