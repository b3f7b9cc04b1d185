import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import { type PowerBiCloudName, powerBiClouds } from './power-bi-clouds.ts'

/** Written down from the same documentation, not read from the portal's table. */
const documented = {
  global: [
    'login.microsoftonline.com api.powerbi.com app.powerbi.com',
    'graph.microsoft.com management.azure.com analysis.windows.net',
  ],
  'usgov-gcc': [
    'login.microsoftonline.com api.powerbigov.us app.powerbigov.us',
    'graph.microsoft.com management.azure.com analysis.usgovcloudapi.net',
  ],
  'usgov-high': [
    'login.microsoftonline.us api.high.powerbigov.us app.high.powerbigov.us',
    'graph.microsoft.us management.usgovcloudapi.net high.analysis.usgovcloudapi.net',
  ],
  'usgov-dod': [
    'login.microsoftonline.us api.mil.powerbigov.us app.mil.powerbigov.us',
    'dod-graph.microsoft.us management.usgovcloudapi.net mil.analysis.usgovcloudapi.net',
  ],
  china: [
    'login.partner.microsoftonline.cn api.powerbi.cn app.powerbi.cn',
    'microsoftgraph.chinacloudapi.cn management.chinacloudapi.cn analysis.chinacloudapi.cn',
  ],
} satisfies Record<PowerBiCloudName, string[]>

const microsoftOf = (environment: Record<string, string>) => loadConfig(environment).bi.addresses.microsoft

describe('POWERBI_CLOUD', () => {
  test('POWERBI_CLOUD is the global cloud by default', () => {
    expect(microsoftOf({})).toEqual({
      authority: 'https://login.microsoftonline.com',
      api: 'https://api.powerbi.com',
      embed: 'https://app.powerbi.com',
      scope: 'https://analysis.windows.net/powerbi/api/.default',
      clusters: 'analysis.windows.net',
      graph: 'https://graph.microsoft.com',
      management: 'https://management.azure.com',
    })
  })

  test.each(Object.keys(powerBiClouds) as PowerBiCloudName[])(
    'POWERBI_CLOUD selects addresses and scope of %s, without any other setting',
    (name) => {
      const hosts = documented[name].join(' ').split(' ')
      const [authority, api, embed, graph, management] = hosts.map((host) => `https://${host}`)
      const clusters = hosts.at(-1)
      const scope = `https://${clusters}/powerbi/api/.default`
      expect(microsoftOf({ POWERBI_CLOUD: name })).toEqual({
        authority,
        api,
        embed,
        graph,
        management,
        clusters,
        scope,
      })
    },
  )

  test('POWERBI_CLOUD does not change the local service', () => {
    const { local } = loadConfig({ POWERBI_CLOUD: 'china' }).bi.addresses
    expect(local).toMatchObject({ api: 'http://localhost:3001', scope: powerBiClouds.global.scope })
  })

  test('POWERBI_CLOUD yields to an address of no known cloud, such as a proxy', () => {
    expect(
      microsoftOf({ POWERBI_CLOUD: 'usgov-high', POWERBI_API_URL: 'https://bi-proxy.exemplo.gov' }),
    ).toEqual({ ...powerBiClouds['usgov-high'], api: 'https://bi-proxy.exemplo.gov' })
  })

  test('POWERBI_CLOUD sends no token of another authority to the Graph of the cloud', () => {
    const authority = { POWERBI_AUTHORITY_URL: 'https://entra.exemplo.gov' }
    expect(microsoftOf(authority)).not.toHaveProperty('graph')
    const graph = 'https://graph.exemplo.gov'
    expect(microsoftOf({ ...authority, POWERBI_GRAPH_URL: graph })).toHaveProperty('graph', graph)
  })

  test('POWERBI_CLOUD sends no token of another authority to the Resource Manager of the cloud', () => {
    const authority = { POWERBI_AUTHORITY_URL: 'https://entra.exemplo.gov' }
    expect(microsoftOf(authority)).not.toHaveProperty('management')
    const management = 'https://arm.exemplo.gov'
    expect(microsoftOf({ ...authority, POWERBI_MANAGEMENT_URL: management })).toHaveProperty(
      'management',
      management,
    )
  })

  test('POWERBI_CLOUD accepts an address that repeats the one of the cloud', () => {
    const environment = { POWERBI_CLOUD: 'china', POWERBI_API_URL: 'https://api.powerbi.cn/' }
    expect(microsoftOf(environment)).toEqual(powerBiClouds.china)
  })

  test.each([
    ['POWERBI_API_URL', 'https://api.high.powerbigov.us', undefined, 'usgov-high'],
    ['POWERBI_EMBED_URL', 'https://app.powerbi.com', 'china', 'global'],
    ['POWERBI_AUTHORITY_URL', 'https://login.microsoftonline.us', 'usgov-gcc', 'usgov-high'],
  ])('POWERBI_CLOUD stops the start when %s is %s of another cloud', (setting, address, cloud, other) => {
    const attempt = () => loadConfig({ [setting]: address, ...(cloud ? { POWERBI_CLOUD: cloud } : {}) })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(`${setting} (${address}) não é da nuvem ${cloud ?? 'global'}`)
    expect(attempt).toThrow(`use POWERBI_CLOUD=${other}.`)
  })

  test('POWERBI_CLOUD refuses an unknown cloud and names the known ones', () => {
    expect(() => loadConfig({ POWERBI_CLOUD: 'alemanha' })).toThrow(
      'Configuração inválida: POWERBI_CLOUD deve ser global, usgov-gcc, usgov-high, usgov-dod ou china.',
    )
  })
})
