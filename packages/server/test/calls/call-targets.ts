import { randomUUID } from 'node:crypto'
import { createLink } from '../../src/accounts/credentials/account-links.ts'
import { subjectOf } from '../../src/reports/embedding/embedding.repository.ts'
import { createBeneficiary } from '../clinical/beneficiaries.ts'
import { azureIdOf, createCapacity } from '../connections/capacities.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

/** Creates separate records for one call, so that calls do not affect each other. */
export const createTargets = async (app: TestApp, caller: { idUsuario: number; emailUsuario: string }) => {
  const connection = await createConnection(app)
  const workspace = await createWorkspace(app, { idPowerBi: connection.idPowerBi })
  const report = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
  const granted = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
  await grantReport(app, caller.idUsuario, granted.idRelatorio)
  const empty = await createWorkspace(app, { idPowerBi: connection.idPowerBi })
  const unused = await createConnection(app)
  const person = await createUser(app)
  const pending = await createUser(app, { situacao: 'PENDENTE' })
  const unconfirmed = await createUser(app, { situacao: 'PENDENTE', emailPorProvar: true })
  const link = await createLink(app.db, app.services, { idUsuario: person.idUsuario, tipo: 'recuperacao' })
  const { idPerfil } = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: `Perfil ${randomUUID()}` })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('relatorioLogo')
    .values({ idRelatorio: granted.idRelatorio, imagem: new Uint8Array([1]), marca: 'm' })
    .execute()
  const beneficiary = await createBeneficiary(app)
  const { idPowerBi } = await createConnection(app)
  const capacity = await createCapacity(app, { idPowerBi })
  return {
    app,
    caller,
    beneficiary,
    capacity,
    connection,
    workspace,
    report,
    granted,
    empty,
    unused,
    person,
    pending,
    unconfirmed,
    link,
    idPerfil,
  }
}
export type Targets = Awaited<ReturnType<typeof createTargets>>

/** Inserts a capacity that the stand-in of Azure calls paused. */
export const pausedCapacity = async (app: TestApp) => {
  const { idPowerBi } = await createConnection(app)
  const recurso = azureIdOf('F', `pausada${idPowerBi}`)
  return createCapacity(app, { idPowerBi, recurso })
}

/** Inserts another session of the user, besides the calling one. */
export const openedSession = async (
  { db }: TestApp,
  { idUsuario }: { idUsuario: number },
): Promise<string> => {
  const idSessao = randomUUID()
  const criadaEm = new Date()
  const expiraEm = new Date(criadaEm.getTime() + 3_600_000)
  await db
    .insertInto('sessao')
    .values({
      idSessao,
      idUsuario,
      criadaEm,
      ultimoUso: criadaEm,
      expiraEm,
      encerradaEm: null,
      dispositivo: null,
    })
    .execute()
  return idSessao
}

/** Records an embed token as if the user had just opened the report. */
export const issuedToken = async (
  { db, services }: TestApp,
  { idUsuario, idRelatorio }: { idUsuario: number; idRelatorio: number },
): Promise<void> => {
  await services.writeAudit(db, { action: 'embed.issued', idUsuario, subject: subjectOf(idRelatorio) })
}
