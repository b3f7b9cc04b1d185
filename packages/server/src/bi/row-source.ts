import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { identityColumns, sendsIdentity } from './effective-identity.ts'

/**
 * What decides the rows that a person, a screen or a registered report shows: the identity that is
 * sent, and what it is applied to.
 */
interface RowSource {
  user: string | null
  customData: string | null
  isSent: boolean
  roles: string[]
  /** Type, connection, workspace, report and datasets of a registration. */
  place: string[]
  /** The rows may not leave the portal. */
  isSensitive: boolean
}

const nothing: RowSource = {
  user: null,
  customData: null,
  isSent: false,
  roles: [],
  place: [],
  isSensitive: false,
}

export const rowsOfPerson = (person: { emailUsuario: string; identidadeRls: string | null }): RowSource => ({
  ...nothing,
  user: person.emailUsuario,
  customData: person.identidadeRls,
})

export const rowsOfScreen = (screen: {
  usuarioIdentidade: string | null
  identidadeRls: string | null
}): RowSource => ({ ...nothing, user: screen.usuarioIdentidade, customData: screen.identidadeRls })

/** Selects what `rowsOfRegistration` needs. */
export const selectRegistrations = (db: Db) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select([...identityColumns, 'relatorio.idRelatorio', 'reportId', 'idGrupo', 'idPowerBi'])
    .select(['tipoRelatorio', 'datasetsAdicionais', 'sensivel'])
    .orderBy('relatorio.idRelatorio')

export type Registration = Awaited<ReturnType<ReturnType<typeof selectRegistrations>['execute']>>[number]

export const rowsOfRegistration = (report: Registration): RowSource => ({
  ...nothing,
  user: report.usuarioIdentidade,
  isSent: report.enviaIdentidade,
  roles: report.papeisRls,
  place: [
    report.tipoRelatorio,
    String(report.idPowerBi),
    ...[report.idGrupo, report.reportId, ...report.datasetsAdicionais.toSorted()].map((id) =>
      id.toLowerCase(),
    ),
  ],
  isSensitive: report.sensivel,
})

/**
 * Returns whether a change may show other rows, or let rows leave the portal. Every call that
 * changes what decides the rows compares with this function, and requires a recent proof.
 */
export const changesRows = (before: RowSource | undefined, after: RowSource | undefined): boolean => {
  const { isSensitive: wasSensitive, roles: formerRoles, ...source } = before ?? nothing
  const { isSensitive, roles, ...changed } = after ?? nothing
  return (
    (wasSensitive && !isSensitive) || !isWithin(roles, formerRoles) || !isDeepStrictEqual(source, changed)
  )
}

/** The rows of several roles add up: with fewer of them a viewer sees fewer, but all with none. */
const isWithin = (roles: string[], former: string[]): boolean =>
  roles.length === 0 ? former.length === 0 : roles.every((role) => former.includes(role))

export const findRegistration = (tx: Db, idRelatorio: number): Promise<Registration | undefined> =>
  selectRegistrations(tx).where('relatorio.idRelatorio', '=', idRelatorio).executeTakeFirst()

/**
 * Returns whether new registrations may show other rows: with a role or a fixed user, or unlike
 * another registration of the same report.
 */
export const addsOtherRows = async (tx: Db, idRelatorios: number[]): Promise<boolean> => {
  const added = await selectRegistrations(tx).where('relatorio.idRelatorio', 'in', idRelatorios).execute()
  if (added.some(({ papeisRls, usuarioIdentidade }) => papeisRls.length > 0 || usuarioIdentidade !== null))
    return true
  const keys = added.map(keyOf)
  const registered = await selectRegistrations(tx).where(sql`lower(report_id)`, 'in', keys).execute()
  const byReport = Map.groupBy(registered, keyOf)
  return added.some((report) =>
    byReport
      .get(keyOf(report))
      ?.some((other) => changesRows(rowsOfRegistration(other), rowsOfRegistration(report))),
  )
}

const keyOf = ({ reportId }: Registration): string => reportId.toLowerCase()

/**
 * Returns whether a registration must not be deleted without a recent proof: registered again, the
 * report would have nothing to be compared with.
 */
export const restrictsRows = (report: Registration): boolean =>
  sendsIdentity(report) || report.usuarioIdentidade !== null || report.sensivel
