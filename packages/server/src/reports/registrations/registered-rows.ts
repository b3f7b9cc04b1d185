import { sql } from 'kysely'
import { changesRows, type RowSource, undecided } from '../../accounts/index.ts'
import { identityColumns, sendsIdentity } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'

/** Selects what `rowsOfRegistration` needs. */
export const selectRegistrations = (db: Db) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select([...identityColumns, 'relatorio.idRelatorio', 'reportId', 'idGrupo', 'idPowerBi'])
    .select(['tipoRelatorio', 'datasetsAdicionais', 'sensivel'])
    .orderBy('relatorio.idRelatorio')

type Registration = Awaited<ReturnType<ReturnType<typeof selectRegistrations>['execute']>>[number]

export const rowsOfRegistration = (report: Registration): RowSource => ({
  ...undecided,
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
