import type { ListQuery, Workspace, WorkspaceDraft, WorkspaceOrder } from '@bi-manager/contract'
import { sql } from 'kysely'
import { contains, listPage, listWhole, type Orders } from '../../db/list-page.ts'
import type { Db } from '../../db/open-database.ts'

type Order = (typeof WorkspaceOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'>

const orders: Orders<Order> = {
  nomeGrupo: ['grupoRelatorio.nomeOrdem', 'idGrupoRelatorio'],
  idGrupo: ['idGrupo', 'idGrupoRelatorio'],
  nomePowerBi: ['powerbi.nomeOrdem', 'grupoRelatorio.nomeOrdem', 'idGrupoRelatorio'],
}

const workspaces = (db: Db) =>
  db
    .selectFrom('grupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['idGrupoRelatorio', 'nomeGrupo', 'idGrupo', 'grupoRelatorio.idPowerBi'])
    .select(['powerbi.nome as nomePowerBi', 'grupoRelatorio.versao'])

const matching = (db: Db, { busca }: Filter) =>
  workspaces(db).$if(!!busca, (query) => query.where(contains('grupoRelatorio.nomeOrdem', busca ?? '')))

export const listWorkspaces = (db: Db, query: ListQuery<Order>) =>
  listPage(db, matching(db, query), { query, orders, byDefault: 'nomeGrupo' })

export const exportWorkspaces = (db: Db, filter: Filter) =>
  listWhole(matching(db, filter), { key: 'idGrupoRelatorio', orders, order: filter.ordem ?? 'nomeGrupo' })

export const findWorkspace = (db: Db, id: number): Promise<Workspace | undefined> =>
  workspaces(db).where('idGrupoRelatorio', '=', id).executeTakeFirst()

export const insertWorkspace = async (tx: Db, draft: WorkspaceDraft): Promise<Workspace> => {
  const { idGrupoRelatorio } = await tx
    .insertInto('grupoRelatorio')
    .values(draft)
    .returning('idGrupoRelatorio')
    .executeTakeFirstOrThrow()
  return workspaces(tx).where('idGrupoRelatorio', '=', idGrupoRelatorio).executeTakeFirstOrThrow()
}

/** Returns undefined when no workspace has this id and, if given, this version. */
export const updateWorkspace = async (
  tx: Db,
  id: number,
  draft: WorkspaceDraft,
  ifMatch: number | undefined,
): Promise<Workspace | undefined> => {
  const row = await tx
    .updateTable('grupoRelatorio')
    .set((eb) => ({ ...draft, versao: eb('versao', '+', 1) }))
    .where('idGrupoRelatorio', '=', id)
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning('idGrupoRelatorio')
    .executeTakeFirst()
  return row && findWorkspace(tx, id)
}

export const deleteWorkspace = async (tx: Db, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('grupoRelatorio')
    .where('idGrupoRelatorio', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const countReportsOf = async (db: Db, id: number): Promise<number> => {
  const { total } = await db
    .selectFrom('relatorio')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('idGrupoRelatorio', '=', id)
    .executeTakeFirstOrThrow()
  return total
}

export const listGroupOptions = (db: Db, query: ListQuery<'nomeGrupo'>) =>
  listPage(
    db,
    db
      .selectFrom('grupoRelatorio')
      .select(['idGrupoRelatorio', 'nomeGrupo', 'idGrupo'])
      .select(
        sql<number>`(select count(*)::int from relatorio r
          where r.id_grupo_relatorio = grupo_relatorio.id_grupo_relatorio)`.as('quantidadeRelatorios'),
      )
      .$if(!!query.busca, (options) => options.where(contains('nomeOrdem', query.busca ?? ''))),
    { query, orders: { nomeGrupo: ['nomeOrdem', 'idGrupoRelatorio'] }, byDefault: 'nomeGrupo' },
  )
