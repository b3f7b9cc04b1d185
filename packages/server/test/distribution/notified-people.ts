import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Creates a report, an ADMIN who acts, another one, one who is blocked, a data protection officer and a
 * reader of the report.
 */
export const createNotifiedPeople = async (app: TestApp) => {
  const connection = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi: connection.idPowerBi })
  const report = await createReport(app, { idGrupoRelatorio })
  const venceEm = new Date(app.services.now().getTime() + 60 * DAY_MS)
  const all = {
    author: await createUser(app, { nomeUsuario: 'author', tipoUsuario: 'ADMIN' }),
    admin: await createUser(app, { nomeUsuario: 'admin', tipoUsuario: 'ADMIN' }),
    blocked: await createUser(app, { nomeUsuario: 'blocked', tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' }),
    officer: await createUser(app, { nomeUsuario: 'officer', encarregadoDados: true }),
    reader: await createUser(app, { nomeUsuario: 'reader', venceEm }),
  }
  await grantReport(app, all.reader.idUsuario, report.idRelatorio)
  return { ...all, connection, report }
}
