import type { Grant, ListQuery } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { endOfDay, isCurrent, lastDayOf } from '../../platform/db/queries/expiry.ts'
import { containsWords, listPage } from '../../platform/db/queries/list-page.ts'
import { withWorkspaceOrder, workspaceOrder } from '../../platform/db/queries/workspace-of-report.ts'
import { selectChoices } from './report-set.ts'

/** Returns a page of all reports, each unchecked. */
export const listReportChoices = (db: Db, query: ListQuery<'nomeRelatorio' | 'nomeGrupo'>) =>
  listPage(
    db,
    selectChoices(db)
      .$call(withWorkspaceOrder(query.ordem))
      .select([sql<boolean>`false`.as('isChecked'), sql<null>`null`.as('validoAte')])
      .$if(!!query.busca, (reports) =>
        reports.where(containsWords(['relatorio.nomeBusca'], query.busca ?? '')),
      ),
    {
      query,
      orders: {
        nomeRelatorio: ['relatorio.nomeNatural', 'idRelatorio'],
        nomeGrupo: [workspaceOrder, 'relatorio.nomeNatural', 'idRelatorio'],
      },
      byDefault: 'nomeRelatorio',
      large: { name: 'relatorio', key: 'relatorio.idRelatorio', isNarrowed: !!query.busca },
    },
  )

/**
 * Returns all direct grants of a user. Never paged: a caller that writes the set back would lose
 * the rest.
 * @param isCurrentOnly leaves out grants that have ended, whose reports the user may not know any more
 */
export const listGrants = (
  db: Db,
  idUsuario: number,
  { isCurrentOnly = false }: { isCurrentOnly?: boolean } = {},
): Promise<Grant[]> =>
  db
    .selectFrom('relatorioUsuario')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'relatorioUsuario.idRelatorio')
    .select(['relatorio.idRelatorio', 'idUsuario', 'nomeRelatorio', 'idGrupoRelatorio'])
    .select(lastDayOf('relatorioUsuario.venceEm').as('validoAte'))
    .$if(isCurrentOnly, (grants) => grants.where(isCurrent('relatorioUsuario.venceEm')))
    .where('idUsuario', '=', idUsuario)
    .orderBy('nomeNatural')
    .orderBy('relatorio.idRelatorio')
    .execute()

/** A new last day of a grant. */
export interface Term {
  idRelatorio: number
  validoAte: string | null
}

/** Changes the last days of a user's grants. @returns those that were others */
export const changeTerms = async (tx: Db, idUsuario: number, terms: Term[]): Promise<Term[]> => {
  if (terms.length === 0) return []
  const { rows } = await sql<Term>`
    update relatorio_usuario g set vence_em = n.vence_em
    from (
      select id_relatorio, valido_ate, ${endOfDay(sql`valido_ate`)} as vence_em
      from unnest(
        ${terms.map(({ idRelatorio }) => idRelatorio)}::int[],
        ${terms.map(({ validoAte }) => validoAte)}::date[]) as prazo (id_relatorio, valido_ate)
    ) n
    where g.id_usuario = ${idUsuario} and g.id_relatorio = n.id_relatorio
      and g.vence_em is distinct from n.vence_em
    returning g.id_relatorio, n.valido_ate`.execute(tx)
  return rows
}
