import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { groupId, type ScriptedAnswer, startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { loadConfig } from '../../platform/config/config.ts'
import type { Connection } from './connection.ts'
import { createEntraTokens } from './entra-tokens.ts'
import { createPowerBiApi } from './power-bi-api.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let cluster: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
  cluster = await startProvider()
})
beforeEach(() => {
  provider.restore()
  cluster.restore()
})
afterAll(() => Promise.all([provider.close(), cluster.close()]))

const connection: Connection = {
  id: 1,
  version: 1,
  provider: 'microsoft',
  tenantId: crypto.randomUUID(),
  applicationId: crypto.randomUUID(),
  credential: { kind: 'service_principal' },
  secret: () => 'segredo',
}

/** @param clusters the domain of the cloud's clusters; its real one has no host here */
const start = (clusters: string) => {
  const { bi } = loadConfig({ POWERBI_AUTHORITY_URL: provider.origin, POWERBI_API_URL: provider.origin })
  const addresses = { ...bi.addresses, microsoft: { ...bi.addresses.microsoft, clusters } }
  const limits = { addresses, timeoutMs: 1000 }
  return createPowerBiApi({ ...limits, tokens: createEntraTokens({ ...limits, now: () => new Date() }) })
}

const atCluster = (host = 'localhost') => cluster.origin.replace('127.0.0.1', host)
const redirectTo =
  (origin: string, status = 307) =>
  ({ path }: { path: string }): ScriptedAnswer => ({
    status,
    headers: { location: `${origin}${path}` },
  })

describe("a redirect to a cluster of the connection's cloud", () => {
  test.each([301, 302, 307, 308])(
    "a redirect to a cluster of the connection's cloud is followed with the token (%i)",
    async (status) => {
      provider.answer('groups', redirectTo(atCluster(), status))
      expect(await start('localhost').listGroups(connection)).toHaveLength(2)
      expect(cluster.seen.map(({ path, authorization }) => [path, authorization])).toEqual([
        ['/v1.0/myorg/groups?$top=5000', provider.seen.at(-1)?.authorization],
      ])
    },
  )

  test("a redirect to a cluster of the connection's cloud repeats the method and the body of a POST", async () => {
    provider.answer('generateToken', redirectTo(atCluster()))
    const ids = { reportId: crypto.randomUUID(), datasetIds: [crypto.randomUUID()] }
    await start('localhost').generateToken(connection, { ...ids, identities: [] })
    const [sent] = cluster.seen
    expect([sent?.method, sent?.body]).toEqual(['POST', provider.seen.at(-1)?.body])
  })

  test("a redirect to a cluster of the connection's cloud is refused when it would turn a POST into a GET", async () => {
    provider.answer('generateToken', redirectTo(atCluster(), 302))
    const ids = { reportId: crypto.randomUUID(), datasetIds: [crypto.randomUUID()] }
    const call = start('localhost').generateToken(connection, { ...ids, identities: [] })
    await expect(call).rejects.toMatchObject({ codigo: 'bi_indisponivel' })
    expect(cluster.seen).toEqual([])
  })
})

test('a redirect within the same origin is followed', async () => {
  provider.answer('groups', ({ path }) =>
    path.includes('moved')
      ? { body: { value: [{ id: groupId, name: 'Saúde' }] } }
      : { status: 307, headers: { location: '/v1.0/moved/groups' } },
  )
  expect(await start('nowhere.example').listGroups(connection)).toEqual([{ id: groupId, name: 'Saúde' }])
})

test.each([
  ['another host', 'analysis.windows.net', 'localhost'],
  ['a host that only ends like the cloud', 'ocalhost', 'localhost'],
])('a redirect to %s never gets the token', async (_, clusters, host) => {
  provider.answer('groups', redirectTo(atCluster(host)))
  await expect(start(clusters).listGroups(connection)).rejects.toMatchObject({
    codigo: 'bi_indisponivel',
    cause: { name: 'ForeignRedirect', from: provider.origin, to: atCluster(host) },
  })
  expect(cluster.seen).toEqual([])
})

test('a redirect of Entra never sends the secret to another host', async () => {
  provider.answer('token', redirectTo(atCluster()))
  await expect(start('localhost').listGroups(connection)).rejects.toMatchObject({ codigo: 'bi_indisponivel' })
  expect(cluster.seen).toEqual([])
})

test('redirects in a circle end', async () => {
  provider.answer('groups', redirectTo(provider.origin))
  await expect(start('localhost').listGroups(connection)).rejects.toMatchObject({ codigo: 'bi_indisponivel' })
  expect(provider.seen.filter(({ path }) => path.includes('/groups'))).toHaveLength(4)
})
