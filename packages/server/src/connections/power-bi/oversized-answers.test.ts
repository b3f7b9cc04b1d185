import { gzipSync } from 'node:zlib'
import type { ConnectionTest } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createConnection } from '../../../test/reports.ts'
import { datasetId, groupId, reportId, startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { createEntraTokens } from './entra-tokens.ts'
import { createPowerBiApi } from './power-bi-api.ts'

/* The kind: an answer fills the memory, however little of it is sent. */

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
beforeEach(() => provider.restore())

/** @param mebibytes of spaces in a valid answer; few of them are sent */
const largeAnswer = (mebibytes: number, answer: object = { value: [] }) => {
  const body = gzipSync(JSON.stringify(answer) + ' '.repeat(mebibytes * 1024 * 1024))
  return () => ({ headers: { 'content-encoding': 'gzip' }, body })
}

const listGroups = async (mebibytes: number) => {
  provider.answer('groups', largeAnswer(mebibytes))
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

// The limit of a call is long, so that a busy machine has the time to read 32 MiB.
const app = useTestApp(() => ({ ...provider.settings, BI_TIMEOUT_SECONDS: '60' }), { resets: false })

const group = { id: groupId, name: 'Saúde' }
const report = (embedUrl: string) => ({ id: reportId, name: 'Gestão', embedUrl, datasetId })
const expiration = '2100-01-01T00:00:00Z'

test.each([
  ['microsoft', 'token', 0, () => ({ token_type: 'Bearer', expires_in: 3599, access_token: 'x' })],
  ['microsoft', 'groups', 1, () => ({ value: [group] })],
  ['microsoft', 'report', 2, () => report(`${provider.origin}/reportEmbed`)],
  ['microsoft', 'generateToken', 3, () => ({ token: 'x', tokenId: reportId, expiration })],
  ['local', 'groups', 1, () => ({ value: [group] })],
] as const)(
  "'Testar conexão' of %s says that an oversized answer of %s cannot be read",
  { timeout: 120_000 },
  async (provedor, kind, failed, answer) => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { idPowerBi } = await createConnection(app, { provedor })
    const stepsWith = async (mebibytes: number): Promise<ConnectionTest['etapas']> => {
      provider.answer(kind, largeAnswer(mebibytes, answer()))
      return (await admin.post(`/usuarios/powerbi/${idPowerBi}/testar`)).body.etapas
    }
    expect((await stepsWith(1)).every(({ ok }) => ok)).toBe(true)
    const etapas = await stepsWith(33)
    expect(etapas.map(({ ok }) => ok)).toEqual(
      etapas.map((_, index) => (index < failed ? true : index === failed ? false : null)),
    )
    const whose = provedor === 'local' ? 'do serviço local' : 'da Microsoft'
    expect(etapas[failed]?.detalhe).toContain(`A resposta ${whose} não pôde ser lida.`)
  },
)
