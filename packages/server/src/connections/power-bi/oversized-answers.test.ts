import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { createEntraTokens } from './entra-tokens.ts'
import { createPowerBiApi } from './power-bi-api.ts'

/* The kind: an answer fills the memory, however little of it is sent. */

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

/** @param mebibytes of a valid answer, with spaces in it */
const listGroups = async (mebibytes: number) => {
  provider.answer('groups', () => ({
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(`{"value":[]${' '.repeat(mebibytes * 1024 * 1024)}}`),
  }))
  const { bi } = loadConfig({ POWERBI_AUTHORITY_URL: provider.origin, POWERBI_API_URL: provider.origin })
  const limits = { addresses: bi.addresses, timeoutMs: 60_000 }
  const tokens = createEntraTokens({ ...limits, now: () => new Date() })
  return createPowerBiApi({ ...limits, tokens }).listGroups({
    id: 1,
    version: 1,
    provider: 'microsoft',
    tenantId: crypto.randomUUID(),
    applicationId: crypto.randomUUID(),
    credential: { kind: 'service_principal' },
    secret: () => 'segredo',
  })
}

test('an answer of 31 MiB is read', { timeout: 60_000 }, async () => {
  expect(await listGroups(31)).toEqual([])
})

test('an answer of more than 32 MiB is refused as invalid', { timeout: 60_000 }, async () => {
  const refused = await listGroups(33).catch((error: unknown) => error)
  expect(refused).toMatchObject({ codigo: 'bi_resposta_invalida' })
})
