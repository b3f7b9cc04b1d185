import type { LostAccess } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { workspaceName } from '../../platform/db/queries/workspace-of-report.ts'
import { personSees } from '../visibility/visible-reports.ts'

/**
 * Returns which of these reports of the local service are registered without roles, and how many
 * users can open them. The command `npm run reports` asks before it publishes a dataset that
 * requires roles: these users would then see no rows.
 */
export const findAccessWithoutRoles = async (db: Db, reportIds: string[]): Promise<LostAccess> => {
  const ids = reportIds.map((id) => id.toLowerCase())
  // The table powerbi holds the connections to all providers.
  const concerned = db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .where('provedor', '=', 'local')
    .where(sql<boolean>`lower(report_id) = any(${ids}::text[]) and cardinality(papeis_rls) = 0`)
  const people = db
    .selectFrom('usuario')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(isActiveAccount())
  const canOpen = personSees()
  const relatorios = await concerned
    .select(['idRelatorio', 'reportId', 'nomeRelatorio', workspaceName.as('nomeGrupo')])
    .select(people.where(canOpen).$asScalar().$notNull().as('pessoas'))
    .orderBy('relatorio.nomeNatural')
    .orderBy('idRelatorio')
    .execute()
  const { total } = await people
    .where(({ exists }) => exists(concerned.select('idRelatorio').where(canOpen)))
    .executeTakeFirstOrThrow()
  return { relatorios, pessoas: total }
}
