import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { useTestApp } from '../use-test-app.ts'
import { createUser } from '../users.ts'
import { startProvider } from './provider-stand-in.ts'

/** Starts the portal and a provider stand-in for a test file about exports, and resets both. */
export const exportSuite = () => {
  const suite = {} as { app: TestApp; provider: Awaited<ReturnType<typeof startProvider>> }
  beforeAll(async () => {
    suite.provider = await startProvider()
  })
  afterAll(() => suite.provider.close())
  suite.app = useTestApp(() => ({
    ...suite.provider.settings,
    BI_TIMEOUT_SECONDS: '1',
  }))
  beforeEach(() => suite.provider.restore())

  const start = async (
    fields: Omit<Parameters<typeof createReport>[1], 'idGrupoRelatorio'> = {},
    person = {},
    provedor: 'microsoft' | 'local' = 'microsoft',
  ) => {
    // Ids restart with every test, and the caches use them as keys: a random version keeps the
    // tests apart.
    const versao = Math.floor(Math.random() * 1e9)
    const { idPowerBi } = await createConnection(suite.app, { versao, provedor })
    const workspace = await createWorkspace(suite.app, { idPowerBi })
    const { idGrupoRelatorio } = workspace
    const report = await createReport(suite.app, {
      idGrupoRelatorio,
      nomeRelatorio: 'Gestão à vista',
      ...fields,
    })
    const user = await createUser(suite.app, person)
    await grantReport(suite.app, user.idUsuario, report.idRelatorio)
    const signedIn = await suite.app.as(user)
    const address = `/usuarios/relatorio/${report.idRelatorio}/exportacao`
    const ask = (body: object = { formato: 'PDF' }) => signedIn.post(address, body)
    const begun = async (body?: object): Promise<string> => {
      const answer = await ask(body)
      expect([answer.status, answer.body.estado]).toEqual([201, 'NA_FILA'])
      return `${address}/${answer.body.idExportacao}`
    }
    return { ...signedIn, idPowerBi, workspace, report, user, address, ask, begun }
  }

  const sentOrder = () => {
    const asked = suite.provider.seen.find(({ path }) => path.endsWith('/ExportTo'))
    return asked && { path: asked.path, ...JSON.parse(asked.body) }
  }

  /** Makes the provider report this state for every export. */
  const provideState = (status: 'Running' | 'Succeeded' | 'Failed') =>
    suite.provider.answer('exportState', ({ path }) => ({ body: { id: path.split('/').at(-1), status } }))

  const isFull = async (ask: () => Promise<{ status: number; body: { codigo?: string } }>) => {
    const { status, body } = await ask()
    expect([status, body.codigo]).toEqual([429, 'muitas_exportacoes'])
  }

  const auditOf = (action: string) =>
    suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', action).execute()

  return { suite, start, sentOrder, provideState, isFull, auditOf }
}
