import type { Connection, ConnectionOrder, ConnectionTest, ListQuery } from '@bi-manager/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { contains, type ListPage, listPage, listWhole, type Orders } from '../../db/list-page.ts'
import type { Db } from '../../db/open-database.ts'
import type { Tables } from '../../db/types.ts'

type Order = (typeof ConnectionOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'>

const orders: Orders<Order> = {
  nome: ['powerbi.nomeOrdem', 'idPowerBi'],
  username: [sql`sem_acento(username) collate "C"`, 'powerbi.nomeOrdem', 'idPowerBi'],
  applicationId: [sql`coalesce(lower(application_id), '') collate "C"`, 'powerbi.nomeOrdem', 'idPowerBi'],
  nomeCliente: [{ column: 'usuario.nomeOrdem', nullable: true }, 'powerbi.nomeOrdem', 'idPowerBi'],
  provedor: ['provedor', 'powerbi.nomeOrdem', 'idPowerBi'],
}

/**
 * Selects all fields but the secret. Sort columns compare bytewise, so that both databases sort the
 * same.
 */
const connections = (db: Db) =>
  db
    .selectFrom('powerbi')
    .leftJoin('usuario', 'usuario.idUsuario', 'powerbi.clienteId')
    .innerJoin('responsavel', 'responsavel.idResponsavel', 'powerbi.idResponsavel')
    .select(['powerbi.idPowerBi', 'nome', 'username', 'clienteId', 'nomeUsuario as nomeCliente'])
    .select(['powerbi.idResponsavel', 'nomeResponsavel', 'provedor', 'tenantId', 'applicationId'])
    .select([
      'tipoCredencial',
      'validadeSegredo',
      'powerbi.versao',
      sql<boolean>`segredo <> ''`.as('temSenha'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof connections>['executeTakeFirstOrThrow']>>

/** On the wire the id is `idPowerBI`, which the column naming cannot produce. */
const toWire = ({ idPowerBi, ...fields }: Row): Connection => ({
  idPowerBI: idPowerBi,
  ...fields,
})

const matching = (db: Db, { busca }: Filter) =>
  connections(db).$if(!!busca, (query) => query.where(contains('powerbi.nomeOrdem', busca ?? '')))

export const listConnections = async (db: Db, query: ListQuery<Order>): Promise<ListPage<Connection>> => {
  const page = await listPage(db, matching(db, query), { query, orders, byDefault: 'nome' })
  return { ...page, rows: page.rows.map(toWire) }
}

export const exportConnections = (db: Db, filter: Filter) =>
  listWhole(matching(db, filter), { key: 'powerbi.idPowerBi', orders, order: filter.ordem ?? 'nome' })

export const findConnection = async (db: Db, id: number): Promise<Connection | undefined> => {
  const row = await connections(db).where('idPowerBi', '=', id).executeTakeFirst()
  return row && toWire(row)
}

export const insertConnection = async (
  tx: Db,
  values: Insertable<Tables['powerbi']>,
): Promise<Connection> => {
  const { idPowerBi } = await tx
    .insertInto('powerbi')
    .values(values)
    .returning('idPowerBi')
    .executeTakeFirstOrThrow()
  return toWire(await connections(tx).where('idPowerBi', '=', idPowerBi).executeTakeFirstOrThrow())
}

/**
 * Returns undefined when no connection has this id and, if given, this version. Undefined `values`
 * are unchanged.
 */
export const updateConnection = async (
  tx: Db,
  id: number,
  values: Updateable<Tables['powerbi']>,
  ifMatch: number | undefined,
): Promise<Connection | undefined> => {
  const row = await tx
    .updateTable('powerbi')
    .set((eb) => ({ ...values, versao: eb('versao', '+', 1) }))
    .where('idPowerBi', '=', id)
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning('idPowerBi')
    .executeTakeFirst()
  return row && findConnection(tx, id)
}

export const deleteConnection = async (tx: Db, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('powerbi').where('idPowerBi', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export const countWorkspacesOf = async (db: Db, id: number): Promise<number> => {
  const { total } = await db
    .selectFrom('grupoRelatorio')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('idPowerBi', '=', id)
    .executeTakeFirstOrThrow()
  return total
}

/** Returns the record with its encrypted secret, for calls to the provider only. */
export const findCredential = (db: Db, id: number) =>
  db
    .selectFrom('powerbi')
    .select(['idPowerBi', 'versao', 'provedor', 'tenantId', 'applicationId'])
    .select(['tipoCredencial', 'username', 'segredo'])
    .where('idPowerBi', '=', id)
    .executeTakeFirst()

/** Stores the result of the latest test for the status page, unless the connection was deleted. */
export const recordTest = async (
  tx: Db,
  { id, versao, now }: { id: number; versao: number; now: Date },
  { etapas }: ConnectionTest,
): Promise<void> => {
  const ending = etapas.find(({ ok }) => ok !== true) ?? etapas.at(-1)
  const resultado = ending?.ok ? 'ok' : ending?.ok === false ? 'falha' : 'parcial'
  await sql`
    insert into teste_conexao (id_power_bi, versao, em, resultado, detalhe)
    select id_power_bi, ${versao}, ${now}::timestamptz, ${resultado}, ${ending?.detalhe ?? ''}
    from powerbi where id_power_bi = ${id} for key share
    on conflict (id_power_bi) do update set versao = excluded.versao, em = excluded.em,
      resultado = excluded.resultado, detalhe = excluded.detalhe`.execute(tx)
}

/** Returns the report that was registered first on this connection. */
export const findRegisteredReport = (db: Db, id: number) =>
  db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(['nomeRelatorio as name', 'idGrupo as groupId', 'reportId', 'papeisRls as roles'])
    .where('idPowerBi', '=', id)
    .orderBy('idRelatorio')
    .limit(1)
    .executeTakeFirst()

/**
 * Returns the external ids, in lower case, of the reports registered for a group of this
 * connection.
 */
export const listRegisteredIds = async (db: Db, id: number, idGrupo: string): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .select(sql<string>`lower(report_id)`.as('reportId'))
    .where('idPowerBi', '=', id)
    .where(sql<boolean>`lower(id_grupo) = lower(${idGrupo})`)
    .execute()
  return new Set(rows.map(({ reportId }) => reportId))
}
