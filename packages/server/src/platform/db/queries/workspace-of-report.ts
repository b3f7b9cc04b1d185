import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../types.ts'

/**
 * The name of a report's workspace, for queries of `relatorio`. A join, even one that the planner
 * removes, would keep PostgreSQL from finding a page's keys in the name index alone.
 */
export const workspaceName: RawBuilder<string> = sql<string>`(select g.nome_grupo from grupo_relatorio g
  where g.id_grupo_relatorio = relatorio.id_grupo_relatorio)`

/** The order of lists by the workspace's name. */
export const workspaceOrder = 'grupoRelatorio.nomeNatural'

/** Joins the workspace to a query of `relatorio` when the list is ordered by its name. */
export const withWorkspaceOrder =
  (order: string | undefined) =>
  <R>(query: SelectQueryBuilder<Tables, 'relatorio', R>): SelectQueryBuilder<Tables, 'relatorio', R> =>
    query.$if(!!order?.endsWith('nomeGrupo'), (reports) =>
      reports.innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio'),
    ) as typeof query
