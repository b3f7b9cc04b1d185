import type { LostAccess } from '@bi-manager/contract'
import { sql } from 'kysely'
import { isVisibleTo } from '../../access/visible-reports.ts'
import type { Db } from '../../db/open-database.ts'
import { workspaceName } from '../../db/workspace-of-report.ts'

/** Returns registrations without roles of these local reports, and how many users can open them. */
export const findAccessWithoutRoles = async (db: Db, reportIds: string[]): Promise<LostAccess> => {
  const ids = reportIds.map((id) => id.toLowerCase())
  const concerned = db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .where('provedor', '=', 'local')
    .where(sql<boolean>`lower(report_id) = any(${ids}::text[]) and cardinality(papeis_rls) = 0`)
  const people = db
    .selectFrom('usuario')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('situacao', '=', 'ATIVO')
  const opens = sql<boolean>`(tipo_usuario = 'ADMIN' or ${isVisibleTo({
    idUsuario: sql.ref<number>('usuario.idUsuario'),
    isAdmin: false,
  })})`
  const relatorios = await concerned
    .select(['idRelatorio', 'reportId', 'nomeRelatorio', workspaceName.as('nomeGrupo')])
    .select(people.where(opens).$asScalar().$notNull().as('pessoas'))
    .orderBy('relatorio.nomeNatural')
    .orderBy('idRelatorio')
    .execute()
  const { total } = await people
    .where(({ exists }) => exists(concerned.select('idRelatorio').where(opens)))
    .executeTakeFirstOrThrow()
  return { relatorios, pessoas: total }
}
