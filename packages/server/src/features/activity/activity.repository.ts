import { type SqlBool, sql } from 'kysely'
import { isVisibleTo, viewerOf } from '../../access/visible-reports.ts'
import type { Db } from '../../db/open-database.ts'
import type { Caller } from '../../http/caller.ts'
import { accountActions } from './activity.texts.ts'

/** The sign-in before the one that the session was opened with. */
export const findSignInBefore = async (
  db: Db,
  { idUsuario, sessaoCriadaEm }: Pick<Caller, 'idUsuario' | 'sessaoCriadaEm'>,
): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('auditoria')
    .select('quando')
    .where('idUsuario', '=', idUsuario)
    .where('acao', '=', 'session.created')
    .where('quando', '<', sessaoCriadaEm)
    .orderBy('idAuditoria', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.quando
}

/** Whoever opened more than this many times the same few reports sees those few. */
const viewsLookedAt = 300

const reportsListed = 8

/** Each report once, the one opened last first; those that the person may not see any more are left out. */
export const listRecentReports = (db: Db, user: Pick<Caller, 'idUsuario' | 'tipo'>) =>
  db
    .with('vistas', (cte) =>
      cte
        .selectFrom('visualizacao')
        .select(['idRelatorio', 'quando'])
        .where('idUsuario', '=', user.idUsuario)
        .orderBy('quando', 'desc')
        .limit(viewsLookedAt),
    )
    .with('ultimas', (cte) =>
      cte
        .selectFrom('vistas')
        .select((eb) => ['idRelatorio', eb.fn.max('quando').as('data')])
        .groupBy('idRelatorio'),
    )
    .selectFrom('ultimas')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'ultimas.idRelatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['relatorio.idRelatorio', 'nomeRelatorio', 'nomeGrupo', 'reportId', 'idGrupo as groupId', 'data'])
    .where(isVisibleTo(viewerOf(user)))
    .orderBy('data', 'desc')
    .orderBy('relatorio.idRelatorio')
    .limit(reportsListed)
    .execute()

const eventsListed = 20

/** What the person did about their account, and what others did to it; the newest first. */
export const listAccountEvents = (db: Db, idUsuario: number) => {
  // Each half by an index of its own.
  const half = (whose: ReturnType<typeof sql<SqlBool>>) =>
    db
      .selectFrom('auditoria')
      .select(['idAuditoria', 'quando', 'acao', 'detalhes', 'endereco', 'idUsuario'])
      .where('acao', 'in', accountActions)
      .where(whose)
      .orderBy('idAuditoria', 'desc')
      .limit(eventsListed)
  const own = half(sql<SqlBool>`id_usuario = ${idUsuario}`)
  const ofOthers = half(
    sql<SqlBool>`objeto = ${`usuario:${idUsuario}`} and id_usuario is distinct from ${idUsuario}`,
  )
  return db
    .selectFrom(own.as('own'))
    .selectAll()
    .unionAll(db.selectFrom(ofOthers.as('others')).selectAll())
    .orderBy('idAuditoria', 'desc')
    .limit(eventsListed)
    .execute()
}
