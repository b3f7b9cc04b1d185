import type { ListQuery, Workspace, WorkspaceOrder } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords, listPage, listWhole, type Orders } from '../../platform/db/queries/list-page.ts'

type Order = (typeof WorkspaceOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'> & { idPowerBi?: number | undefined }

const orders: Orders<Order> = {
  nomeGrupo: ['grupoRelatorio.nomeNatural', 'idGrupoRelatorio'],
  idGrupo: ['idGrupo', 'idGrupoRelatorio'],
  nomePowerBi: ['powerbi.nomeNatural', 'grupoRelatorio.nomeNatural', 'idGrupoRelatorio'],
}

const workspaces = (db: Db) =>
  db
    .selectFrom('grupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['idGrupoRelatorio', 'nomeGrupo', 'idGrupo', 'grupoRelatorio.idPowerBi'])
    .select(['powerbi.nome as nomePowerBi', 'grupoRelatorio.versao'])

const matching = (db: Db, { busca, idPowerBi }: Filter) =>
  workspaces(db)
    .$if(!!busca, (query) => query.where(containsWords(['grupoRelatorio.nomeBusca'], busca ?? '')))
    .where((eb) => (idPowerBi === undefined ? eb.lit(true) : eb('grupoRelatorio.idPowerBi', '=', idPowerBi)))

export const listWorkspaces = (db: Db, query: ListQuery<Order> & Filter) =>
  listPage(db, matching(db, query), { query, orders, byDefault: 'nomeGrupo' })

export const exportWorkspaces = (db: Db, filter: Filter) =>
  listWhole(matching(db, filter), { key: 'idGrupoRelatorio', orders, order: filter.ordem ?? 'nomeGrupo' })

export const findWorkspace = (db: Db, id: number): Promise<Workspace | undefined> =>
  workspaces(db).where('idGrupoRelatorio', '=', id).executeTakeFirst()

export const listWorkspaceOptions = (db: Db, query: ListQuery<'nomeGrupo'>) =>
  listPage(
    db,
    db
      .selectFrom('grupoRelatorio')
      .select(['idGrupoRelatorio', 'nomeGrupo', 'idGrupo'])
      .select(
        sql<number>`(select count(*)::int from relatorio r
          where r.id_grupo_relatorio = grupo_relatorio.id_grupo_relatorio)`.as('quantidadeRelatorios'),
      )
      .$if(!!query.busca, (options) => options.where(containsWords(['nomeBusca'], query.busca ?? ''))),
    { query, orders: { nomeGrupo: ['nomeNatural', 'idGrupoRelatorio'] }, byDefault: 'nomeGrupo' },
  )
