import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { useTestApp } from '../use-test-app.ts'
import { createUser } from '../users.ts'
import { startProvider } from './provider-stand-in.ts'

/**
 * Starts the portal and a provider stand-in for a test file, and resets both before each test.
 * @param settings replace the suite's own
 */
export const embeddingSuite = (settings: Record<string, string> = {}) => {
  const suite = {} as { app: TestApp; provider: Awaited<ReturnType<typeof startProvider>> }
  beforeAll(async () => {
    suite.provider = await startProvider()
  })
  afterAll(() => suite.provider.close())
  suite.app = useTestApp(() => ({
    ...suite.provider.settings,
    BI_TIMEOUT_SECONDS: '1',
    ...settings,
  }))
  beforeEach(() => suite.provider.restore())

  /** Creates a report in a workspace of a new connection, so that tests share no cached token. */
  const publish = async (fields: Omit<Parameters<typeof createReport>[1], 'idGrupoRelatorio'> = {}) => {
    const connection = await createConnection(suite.app)
    const workspace = await createWorkspace(suite.app, {
      idPowerBi: connection.idPowerBi,
      nomeGrupo: 'Gestão',
    })
    // Ids restart with every test and are cache keys: a random version separates the tests.
    const versao = Math.floor(Math.random() * 1e9)
    await suite.app.db
      .updateTable('powerbi')
      .set({ versao })
      .where('idPowerBi', '=', connection.idPowerBi)
      .execute()
    const report = await createReport(suite.app, { idGrupoRelatorio: workspace.idGrupoRelatorio, ...fields })
    return {
      connection,
      workspace,
      report,
      address: { groupId: workspace.idGrupo, reportId: report.reportId },
    }
  }

  const viewer = async (idRelatorio: number, fields = {}) => {
    const user = await createUser(suite.app, fields)
    await grantReport(suite.app, user.idUsuario, idRelatorio)
    return { user, ...(await suite.app.as(user)) }
  }

  /** The audit lines of issued embed tokens. */
  const issuedLines = () =>
    suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', 'embed.issued').execute()

  return { suite, publish, viewer, issuedLines }
}
