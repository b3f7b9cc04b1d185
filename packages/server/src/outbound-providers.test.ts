import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { companySuite, trustIt } from '../test/outbound/company-suite.ts'
import { createConnection } from '../test/reports.ts'
import { startProvider } from '../test/stand-ins/provider-stand-in.ts'
import { registerSimulatedCapacity } from '../test/stand-ins/simulated-capacity.ts'

/* The calls to Entra, Power BI, Microsoft Graph and Azure from a company's network. */

const { suite, portalWith, expectNoSecret } = companySuite()
const { app, trust, wrongProxy } = suite

let provider: Awaited<ReturnType<typeof startProvider>>
let port: number
beforeAll(async () => {
  provider = await startProvider()
  port = await suite.network.withTls(provider.origin)
})
beforeEach(() => provider.restore())
afterAll(() => provider.close())
const addresses = () => ({
  POWERBI_AUTHORITY_URL: `https://entra.empresa.example:${port}`,
  POWERBI_API_URL: `https://powerbi.empresa.example:${port}`,
  POWERBI_GRAPH_URL: `https://graph.empresa.example:${port}`,
  POWERBI_MANAGEMENT_URL: `https://azure.empresa.example:${port}`,
  POWERBI_EMBED_URL: provider.origin,
})
/** Called directly and without TLS. */
const plainAddresses = () => ({
  ...provider.settings,
  NO_PROXY: '127.0.0.1',
})
const testOf = async (portal: Awaited<ReturnType<typeof portalWith>>) => {
  const { idPowerBi } = await createConnection(app)
  return (await portal.post(`/usuarios/powerbi/${idPowerBi}/testar`)).body.etapas
}

test('providers are called through the proxy', async () => {
  trust()
  const portal = await portalWith(addresses())
  const etapas: { ok: boolean }[] = await testOf(portal)
  expect(etapas.map(({ ok }) => ok)).toEqual([true, true, true, true])
  expect(new Set(suite.network.tunnels)).toEqual(
    new Set(['entra', 'powerbi', 'graph'].map((name) => `${name}.empresa.example:${port}`)),
  )
  await expectNoSecret(portal, etapas)
})

test.each(['microsoft', 'local'] as const)(
  'providers name an untrusted certificate in the connection test (%s)',
  async (provedor) => {
    const url = `https://entra.empresa.example:${port}`
    const portal = await portalWith({ ...addresses(), REPORTS_URL: url })
    const { idPowerBi } = await createConnection(app, { provedor })
    const { body } = await portal.post(`/usuarios/powerbi/${idPowerBi}/testar`)
    expect(body.etapas[0]).toMatchObject({ ok: false })
    expect(body.etapas[0].detalhe).toContain(`O certificado de ${url} ${trustIt}`)
    const { lista } = (await portal.status()).conexoes
    expect(lista[0]).toMatchObject({ estado: 'falha', frase: body.etapas[0].detalhe })
    await expectNoSecret(portal, body, lista)
  },
)

test('providers name an untrusted certificate of Microsoft Graph alone', async () => {
  const { POWERBI_GRAPH_URL } = addresses()
  const portal = await portalWith({ ...plainAddresses(), POWERBI_GRAPH_URL })
  const { idPowerBi } = await createConnection(app)
  const { body } = await portal.post(`/usuarios/powerbi/${idPowerBi}/testar`)
  expect(body.etapas.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true, true])
  expect(body.segredo).toMatchObject({ leitura: 'falhou', expiraEm: null })
  expect(body.segredo.detalhe).toContain(
    `A data não foi lida do Microsoft Graph. O certificado de ${POWERBI_GRAPH_URL} ${trustIt}`,
  )
  await expectNoSecret(portal, body)
})

test('providers read a capacity through the proxy', async () => {
  trust()
  const portal = await portalWith(addresses())
  const { idCapacidade } = await registerSimulatedCapacity({ app, provider }, { state: 'Active' })
  const { body } = await portal.get(`/usuarios/capacidade/${idCapacidade}/estado`)
  expect(body).toMatchObject({ estado: 'ATIVA', falha: null })
  expect(suite.network.tunnels).toContain(`azure.empresa.example:${port}`)
  await expectNoSecret(portal, body)
})

test('providers name an untrusted certificate of Azure Resource Manager', async () => {
  const { POWERBI_MANAGEMENT_URL } = addresses()
  const portal = await portalWith({ ...plainAddresses(), POWERBI_MANAGEMENT_URL })
  const { idCapacidade } = await registerSimulatedCapacity({ app, provider }, { state: 'Active' })
  const { body } = await portal.get(`/usuarios/capacidade/${idCapacidade}/estado`)
  expect(body.falha).toContain(`O certificado de ${POWERBI_MANAGEMENT_URL} ${trustIt}`)
  await expectNoSecret(portal, body)
})

test('providers name a proxy that refuses the credentials', async () => {
  const portal = await portalWith(addresses(), wrongProxy())
  const etapas = await testOf(portal)
  expect(etapas[0].detalhe).toBe('O proxy de saída recusou o usuário ou a senha (407): confira HTTPS_PROXY.')
  await expectNoSecret(portal, etapas, await portal.status())
})
