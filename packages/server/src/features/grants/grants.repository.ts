import type { Grant, ListQuery, ReportChoice } from '@bi-manager/contract'
import { sql } from 'kysely'
import { contains, listPage } from '../../db/list-page.ts'
import type { Db } from '../../db/open-database.ts'
import { withWorkspaceOrder, workspaceName, workspaceOrder } from '../../db/workspace-of-report.ts'

/** Returns a page of all reports, each unchecked. */
export const listReportChoices = (db: Db, query: ListQuery<'nomeRelatorio' | 'nomeGrupo'>) =>
  listPage(
    db,
    choices(db)
      .$call(withWorkspaceOrder(query.ordem))
      .select(sql<boolean>`false`.as('isChecked'))
      .$if(!!query.busca, (reports) => reports.where(contains('relatorio.nomeOrdem', query.busca ?? ''))),
    {
      query,
      orders: {
        nomeRelatorio: ['relatorio.nomeOrdem', 'idRelatorio'],
        nomeGrupo: [workspaceOrder, 'relatorio.nomeOrdem', 'idRelatorio'],
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
    .orderBy('nomeOrdem')
    .orderBy('relatorio.idRelatorio')
    .execute()

export const listGroupChoices = (
  db: Db,
  idUsuario: number,
  idGrupoRelatorio: number,
): Promise<ReportChoice[]> =>
  choices(db)
    .select(
      sql<boolean>`exists (select from relatorio_usuario p
        where p.id_relatorio = relatorio.id_relatorio and p.id_usuario = ${idUsuario})`.as('isChecked'),
    )
    .where('relatorio.idGrupoRelatorio', '=', idGrupoRelatorio)
    .orderBy('relatorio.nomeOrdem')
    .orderBy('idRelatorio')
    .execute()

/** @returns whether the grant is new */
export const insertGrant = async (tx: Db, idUsuario: number, idRelatorio: number): Promise<boolean> => {
  const row = await tx
    .insertInto('relatorioUsuario')
    .values({ idUsuario, idRelatorio })
    .onConflict((conflict) => conflict.doNothing())
    .returning('idRelatorio')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the directly granted report ids, of one workspace when it is given. */
export const grantedIds = async (
  tx: Db,
  idUsuario: number,
  idGrupoRelatorio: number | undefined,
): Promise<number[]> => {
  const rows = await tx
    .selectFrom('relatorioUsuario')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'relatorioUsuario.idRelatorio')
    .select('relatorio.idRelatorio')
    .where('idUsuario', '=', idUsuario)
    .$if(idGrupoRelatorio !== undefined, (query) =>
      query.where('idGrupoRelatorio', '=', idGrupoRelatorio ?? 0),
    )
    .orderBy('relatorio.idRelatorio')
    .execute()
  return rows.map(({ idRelatorio }) => idRelatorio)
}

export const addGrants = async (tx: Db, idUsuario: number, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`insert into relatorio_usuario (id_usuario, id_relatorio)
    select ${idUsuario}::int, unnest(${ids}::int[]) on conflict do nothing`.execute(tx)
}

export const removeGrants = async (tx: Db, idUsuario: number, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`delete from relatorio_usuario
    where id_usuario = ${idUsuario} and id_relatorio = any(${ids}::int[])`.execute(tx)
}

const choices = (db: Db) =>
  db
    .selectFrom('relatorio')
    .select(['idRelatorio', 'nomeRelatorio', 'relatorio.idGrupoRelatorio', workspaceName.as('nomeGrupo')])
