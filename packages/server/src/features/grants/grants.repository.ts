import type { Grant, ListQuery } from '@bi-manager/contract'
import { sql } from 'kysely'
import { selectChoices } from '../../access/report-set.ts'
import { containsWords, listPage } from '../../db/list-page.ts'
import type { Db } from '../../db/open-database.ts'
import { hasChanged } from '../../db/outcomes.ts'
import { withWorkspaceOrder, workspaceOrder } from '../../db/workspace-of-report.ts'

/** Returns a page of all reports, each unchecked. */
export const listReportChoices = (db: Db, query: ListQuery<'nomeRelatorio' | 'nomeGrupo'>) =>
  listPage(
    db,
    selectChoices(db)
      .$call(withWorkspaceOrder(query.ordem))
      .select(sql<boolean>`false`.as('isChecked'))
      .$if(!!query.busca, (reports) =>
        reports.where(containsWords(['relatorio.nomeOrdem'], query.busca ?? '')),
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
 */
export const listGrants = (db: Db, idUsuario: number): Promise<Grant[]> =>
  db
    .selectFrom('relatorioUsuario')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'relatorioUsuario.idRelatorio')
    .select(['relatorio.idRelatorio', 'idUsuario', 'nomeRelatorio', 'idGrupoRelatorio'])
    .where('idUsuario', '=', idUsuario)
    .orderBy('nomeNatural')
    .orderBy('relatorio.idRelatorio')
    .execute()

/** @returns whether the grant is new */
export const insertGrant = (tx: Db, idUsuario: number, idRelatorio: number): Promise<boolean> =>
  hasChanged(
    tx
      .insertInto('relatorioUsuario')
      .values({ idUsuario, idRelatorio })
      .onConflict((conflict) => conflict.doNothing()),
  )
