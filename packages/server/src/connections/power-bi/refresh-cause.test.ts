import { expect, test } from 'vitest'
import { refreshCause } from './refresh-cause.ts'

const microsoft = (exception: string | undefined) => refreshCause(exception, { provider: 'microsoft' })

test.each([
  ['ModelRefreshFailed_CredentialsNotSpecified', /^Faltam as credenciais/],
  ['DM_GWPipeline_Gateway_InvalidConnectionCredentials', /^Faltam as credenciais/],
  ['DM_GWPipeline_Client_GatewayUnreachable', /^O gateway de dados local não respondeu/],
  ['DM_GWPipeline_Gateway_TimeoutError', /^A leitura passou do tempo limite/],
  ['DM_GWPipeline_Gateway_DataSourceAccessError', /^Uma fonte de dados não pôde ser lida/],
  ['DM_GWPipeline_Gateway_MashupDataAccessError', /^Uma fonte de dados não pôde ser lida/],
  ['ModelRefresh_ShortMessage_ProcessingError', /não puderam ser processados/],
  ['CapacityNotActive', /^A capacidade estava pausada/],
  ['ResourceGovernance_MemoryLimit', /^Faltou memória/],
  ['SomethingNew', /não disse uma causa conhecida/],
])('%s is explained and kept as code', (errorCode, causa) => {
  expect(microsoft(JSON.stringify({ errorCode }))).toEqual({
    causa: expect.stringMatching(causa),
    codigo: errorCode,
  })
})

test.each([
  undefined,
  '',
  '{"errorCode":',
  '"x"',
  'null',
  '{"errorCode":7}',
  '{"errorCode":"valor 12 de Ana"}',
])('%j has no code', (exception) => {
  expect(microsoft(exception)).toEqual({
    causa: expect.stringMatching(/não disse uma causa conhecida/),
    codigo: null,
  })
})

test("the description is not shown: it can contain the data's values", () => {
  const exception = JSON.stringify({ errorCode: 'X', errorDescription: 'valor de Ana' })
  expect(JSON.stringify(microsoft(exception))).not.toContain('Ana')
})

test('codes of the local service name its log', () => {
  for (const errorCode of ['ModelRefresh_DataSourceError', 'ModelRefresh_InternalError'])
    expect(refreshCause(JSON.stringify({ errorCode }), { provider: 'local' }).causa).toMatch(
      /dados anteriores continuam em uso.*log/,
    )
})
