import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { isVisibleTo, viewerOf } from '../visibility/visible-reports.ts'
import { accountActions } from './activity.texts.ts'

/** Returns the time of the sign-in before the one that opened the session. */
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

/** Views read per user. A user who opened the same few reports more often sees only those few. */
const viewsLookedAt = 300

const reportsListed = 8

/** Returns each report once, last opened first, without those that the user may no longer see. */
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

/**
 * Returns the events that the user caused on their account, and those that others caused; newest
 * first.
 */
export const listAccountEvents = (db: Db, idUsuario: number) => {
  // Two queries, because each condition has its own index.
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
  const both = db
    .selectFrom(own.as('own'))
    .selectAll()
    .unionAll(db.selectFrom(ofOthers.as('others')).selectAll())
    .as('evento')
  return db
    .selectFrom(both)
    .leftJoin('usuario', 'usuario.idUsuario', 'evento.idUsuario')
    .selectAll('evento')
    .select('nomeUsuario as nomeAutor')
    .orderBy('idAuditoria', 'desc')
    .limit(eventsListed)
    .execute()
}
