import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './types.ts'

/**
 * A column of a report's workspace beside columns of `relatorio`. A join would keep PostgreSQL, also where the planner
 * removes it, from finding a page's keys in the index of names alone.
 */
export const workspaceName: RawBuilder<string> = sql<string>`(select g.nome_grupo from grupo_relatorio g
  where g.id_grupo_relatorio = relatorio.id_grupo_relatorio)`

/** For lists in order of the workspace's name; what they order by. */
export const workspaceOrder = 'grupoRelatorio.nomeOrdem'

/** Joins the workspace to a query of `relatorio` where the list is in order of its name. */
export const withWorkspaceOrder =
  (order: string | undefined) =>
  <R>(query: SelectQueryBuilder<Tables, 'relatorio', R>): SelectQueryBuilder<Tables, 'relatorio', R> =>
    query.$if(!!order?.endsWith('nomeGrupo'), (reports) =>
      reports.innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio'),
    ) as typeof query
