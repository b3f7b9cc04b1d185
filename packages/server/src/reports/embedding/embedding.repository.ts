import { type Selectable, sql } from 'kysely'
import { connectionColumns, identityColumns } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Tables } from '../../platform/db/types.ts'
import { hasComments } from '../comments/comment-readers.ts'
import { isVisibleTo, type Viewer } from '../visibility/visible-reports.ts'

interface Address {
  groupId: string
  reportId: string
  /**
   * Selects one of several registrations of the same external report; without it, the oldest
   * visible one is used.
   */
  idRelatorio?: number | null | undefined
}

/**
 * Returns the registered reports for the external ids, with their connections, in the order of
 * `asked`; undefined when the report does not exist or the viewer may not see it.
 */
export const findViewableReports = async (db: Db, asked: (Viewer & Address)[]) => {
  const unnested = sql<Question>`unnest(
    ${asked.map(({ idUsuario }) => idUsuario)}::int[], ${asked.map(({ isAdmin }) => isAdmin)}::boolean[],
    ${asked.map(({ groupId }) => groupId.toLowerCase())}::text[],
    ${asked.map(({ reportId }) => reportId.toLowerCase())}::text[],
    ${asked.map(({ idRelatorio }) => idRelatorio ?? null)}::int[]
  ) with ordinality`
  const rows = await db
    .selectFrom(
      unnested.as<'pedido'>(
        sql`pedido(de_usuario, de_admin, id_externo_grupo, id_externo, id_registrado, ordem)`,
      ),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('relatorio')
          .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
          .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
          .select(['idRelatorio', 'nomeRelatorio', 'operadoraRelatorio', 'reportId', 'filtro'])
          .select([...identityColumns, 'datasetsAdicionais', 'parametros', 'painelParametros'])
          .select(['filtrosPainel', 'sensivel', 'nomeGrupo', 'idGrupo', 'powerbi.nome as nomeConexao'])
          .select(connectionColumns)
          .select(hasComments.as('temComentarios'))
          .where(
            sql<boolean>`lower(report_id) = pedido.id_externo and lower(id_grupo) = pedido.id_externo_grupo`,
          )
          .where(sql<boolean>`(pedido.id_registrado is null or id_relatorio = pedido.id_registrado)`)
          .where(({ or, ref }) =>
            or([ref('pedido.deAdmin'), isVisibleTo({ idUsuario: ref('pedido.deUsuario'), isAdmin: false })]),
          )
          .orderBy('idRelatorio')
          .limit(1)
          .as('achado'),
      (join) => join.onTrue(),
    )
    .select('ordem')
    .selectAll('achado')
    .execute()
  const found = new Map(rows.map(({ ordem, ...report }) => [Number(ordem), report]))
  return asked.map((_, index) => found.get(index + 1))
}

interface Question {
  deUsuario: number
  deAdmin: boolean
  idExternoGrupo: string
  idExterno: string
  idRegistrado: number | null
  ordem: number
}

type View = Omit<Selectable<Tables['visualizacao']>, 'idVisualizacao' | 'quando'>

/** Returns the report's name in the audit trail. */
export const subjectOf = (idRelatorio: number): string => `relatorio:${idRelatorio}`

/** Milliseconds. A view whose token is older than this is not recorded. */
const openingMs = 15 * 60_000

/** Milliseconds. The viewer's clock starts before the token is issued, by at most this much. */
const askingMs = 60_000

/**
 * Records the times of one view if an unused token of the same user and report allows it: one view
 * per token, and no longer than the time since the first one.
 * @returns the token it used; a prefetched one when all openings have their view already
 */
export const insertView = async (
  tx: Db,
  view: View,
  now: Date,
): Promise<'opened' | 'prefetched' | 'none'> => {
  const { idUsuario, idRelatorio, carregadoMs, renderizadoMs } = view
  // Serialises the views of a user: two concurrent ones would count the same token.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`visualizacao:${idUsuario}`}, 0))`.execute(tx)
  const since = new Date(now.getTime() - openingMs)
  const startedBy = new Date(now.getTime() - renderizadoMs + askingMs)
  const { rows } = await sql<{ aberturas: number; vistas: number }>`
      with emitidos as (
        select count(*) filter (where detalhes->>'preparado' is null) as total,
          count(*) filter (where acao = 'embed.issued')::int as aberturas, min(quando) as primeiro
        from auditoria
        where acao in ('embed.issued', 'embed.prepared') and id_usuario = ${idUsuario}
          and objeto = ${subjectOf(idRelatorio)} and quando > ${since}
      ), vistas as (
        select count(*)::int as total from visualizacao
        where id_usuario = ${idUsuario} and id_relatorio = ${idRelatorio} and quando > ${since}
      ), nova as (
        insert into visualizacao (quando, id_usuario, id_relatorio, carregado_ms, renderizado_ms)
        select ${now}, ${idUsuario}, ${idRelatorio}, ${carregadoMs}, ${renderizadoMs}
        from emitidos, vistas where primeiro <= ${startedBy} and emitidos.total > vistas.total
        returning 1
      )
      select aberturas, vistas.total as vistas from emitidos, vistas, nova`.execute(tx)
  const [recorded] = rows
  if (!recorded) return 'none'
  return recorded.aberturas > recorded.vistas ? 'opened' : 'prefetched'
}
