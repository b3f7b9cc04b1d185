import type { ConnectionTest } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { useTestApp } from '../use-test-app.ts'
import { createUser } from '../users.ts'
import { datasetId, startProvider } from './provider-stand-in.ts'

/** Milliseconds per call of the provider. */
export const limitMs = 1000
export const email = 'marina@exemplo.com.br'

/** Starts the portal with an ADMIN, and a provider stand-in, for tests of 'Testar conexão'. */
export const connectionTestSuite = () => {
  const suite = {} as {
    app: TestApp
    provider: Awaited<ReturnType<typeof startProvider>>
    admin: Awaited<ReturnType<TestApp['as']>>
  }
  beforeAll(async () => {
    suite.provider = await startProvider()
  })
  afterAll(() => suite.provider.close())
  suite.app = useTestApp(
    () => ({
      // Without Microsoft Graph, whose calls have tests of their own.
      POWERBI_AUTHORITY_URL: suite.provider.origin,
      POWERBI_API_URL: suite.provider.origin,
      POWERBI_EMBED_URL: suite.provider.origin,
      REPORTS_URL: suite.provider.origin,
      BI_TIMEOUT_SECONDS: String(limitMs / 1000),
    }),
    { resets: false },
  )
  beforeAll(async () => {
    suite.admin = await suite.app.as(
      await createUser(suite.app, { tipoUsuario: 'ADMIN', emailUsuario: email, identidadeRls: 'CNU' }),
    )
  })
  beforeEach(() => suite.provider.restore())

  const runWhole = async (idPowerBi: number): Promise<ConnectionTest> => {
    const { status, body } = await suite.admin.post(`/usuarios/powerbi/${idPowerBi}/testar`)
    expect(status).toBe(200)
    return body
  }
  const run = async (idPowerBi: number) => (await runWhole(idPowerBi)).etapas
  const outcomes = (etapas: ConnectionTest['etapas']) => etapas.map(({ ok }) => ok)
  const connect = async (fields = {}) => (await createConnection(suite.app, fields)).idPowerBi
  const register = async (idPowerBi: number, papeisRls: string[] = [], fields = {}) => {
    const workspace = await createWorkspace(suite.app, { idPowerBi })
    const { idGrupoRelatorio, idGrupo } = workspace
    const report = await createReport(suite.app, {
      idGrupoRelatorio,
      papeisRls,
      nomeRelatorio: 'Cadastrado',
      ...fields,
    })
    return { idGrupo, reportId: report.reportId }
  }
  const sent = (end: string) => suite.provider.seen.filter(({ path }) => path.endsWith(end))
  const answerDataset = (requiresIdentity: boolean) =>
    suite.provider.answer('dataset', () => ({
      body: { id: datasetId, isEffectiveIdentityRequired: requiresIdentity },
    }))

  return { suite, runWhole, run, outcomes, connect, register, sent, answerDataset }
}
