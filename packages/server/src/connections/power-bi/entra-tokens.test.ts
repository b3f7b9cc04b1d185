import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { loadConfig } from '../../platform/config/config.ts'
import type { Connection } from './connection.ts'
import { createEntraTokens } from './entra-tokens.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let offsetMs = 0
beforeAll(async () => {
  provider = await startProvider()
})
beforeEach(() => {
  provider.restore()
  offsetMs = 0
})
afterAll(() => provider.close())

const connection: Connection = {
  id: 1,
  version: 1,
  provider: 'microsoft',
  tenantId: crypto.randomUUID(),
  applicationId: crypto.randomUUID(),
  credential: { kind: 'service_principal' },
  secret: () => 'segredo',
}

const start = () =>
  createEntraTokens({
    addresses: loadConfig({ POWERBI_AUTHORITY_URL: provider.origin }).bi.addresses,
    timeoutMs: 1000,
    now: () => new Date(Date.now() + offsetMs),
  })

const twenty = <T>(ask: () => Promise<T>) => Promise.allSettled(Array.from({ length: 20 }, ask))

test('the portal requests one token for concurrent callers: at first, at renewal, after a refusal and with a wrong credential', async () => {
  const { tokenFor } = start()
  await twenty(() => tokenFor(connection))
  expect(provider.seen).toHaveLength(1)
  offsetMs = 31 * 60_000
  await twenty(() => tokenFor(connection))
  expect(provider.seen).toHaveLength(2)
  const refused = await tokenFor(connection)
  const fresh = await twenty(() => tokenFor(connection, refused))
  expect(provider.seen).toHaveLength(3)
  expect(fresh.every((answer) => answer.status === 'fulfilled' && answer.value !== refused)).toBe(true)
  // A caller whose old token was refused gets the new one that is already there.
  await tokenFor(connection, refused)
  expect(provider.seen).toHaveLength(3)

  provider.answer('token', () => ({ status: 401, body: { error: 'invalid_client' }, delay: 20 }))
  const wrong = await twenty(() => tokenFor({ ...connection, id: 2 }))
  expect(provider.seen).toHaveLength(4)
  expect(
    wrong.every(
      (answer) => answer.status === 'rejected' && answer.reason.codigo === 'bi_credencial_recusada',
    ),
  ).toBe(true)
})

test('while Entra is down, the current token serves until it expires, with one attempt per half minute', async () => {
  const { tokenFor } = start()
  const first = await tokenFor(connection)
  provider.answer('token', () => ({ status: 503 }))
  offsetMs = 31 * 60_000
  expect(await tokenFor(connection)).toBe(first)
  expect(await tokenFor(connection)).toBe(first)
  expect(provider.seen).toHaveLength(2)
  offsetMs += 31_000
  expect(await tokenFor(connection)).toBe(first)
  expect(provider.seen).toHaveLength(3)
  offsetMs = 61 * 60_000
  await expect(tokenFor(connection)).rejects.toMatchObject({ codigo: 'bi_indisponivel' })
})

test('the error of a refusal that repeats the secret hides it', async () => {
  const secret = 'um "segredo"'
  provider.answer('token', () => ({
    status: 401,
    body: { error: 'invalid_client', error_description: `AADSTS7000215: ${secret} is wrong` },
  }))
  await expect(start().tokenFor({ ...connection, secret: () => secret })).rejects.toMatchObject({
    cause: { message: 'the provider answered 401 invalid_client: AADSTS7000215: *** is wrong' },
  })
})

test('the portal requests a token for the API of the selected cloud', async () => {
  const { addresses } = loadConfig({ POWERBI_CLOUD: 'usgov-high', POWERBI_AUTHORITY_URL: provider.origin }).bi
  const { tokenFor } = createEntraTokens({ addresses, timeoutMs: 1000, now: () => new Date() })
  await tokenFor(connection)
  const { scope } = Object.fromEntries(new URLSearchParams(provider.seen[0]?.body))
  expect(scope).toBe('https://high.analysis.usgovcloudapi.net/powerbi/api/.default')
  await tokenFor({ ...connection, id: 2, credential: { kind: 'master_user', username: 'bi@exemplo.gov' } })
  expect(new URLSearchParams(provider.seen[1]?.body).get('scope')).toBe(`${scope} openid`)
})
