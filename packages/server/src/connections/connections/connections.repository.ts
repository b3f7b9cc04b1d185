import type { Connection, ConnectionOrder, ConnectionTest, ListQuery } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import {
  containsWords,
  type ListPage,
  listPage,
  listWhole,
  type Orders,
} from '../../platform/db/queries/list-page.ts'
import { identityColumns } from '../power-bi/effective-identity.ts'
import { connectionColumns } from '../power-bi/registered-connection.ts'

type Order = (typeof ConnectionOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'>

const orders: Orders<Order> = {
  nome: ['powerbi.nomeNatural', 'powerbi.idPowerBi'],
  username: [sql`ordem_natural(username)`, 'powerbi.nomeNatural', 'powerbi.idPowerBi'],
  applicationId: [
    sql`coalesce(lower(application_id), '') collate "C"`,
    'powerbi.nomeNatural',
    'powerbi.idPowerBi',
  ],
  nomeCliente: [
    { column: 'usuario.nomeNatural', nullable: true },
    'powerbi.nomeNatural',
    'powerbi.idPowerBi',
  ],
  provedor: ['provedor', 'powerbi.nomeNatural', 'powerbi.idPowerBi'],
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
    .leftJoin('leituraSegredo', 'leituraSegredo.idPowerBi', 'powerbi.idPowerBi')
    .select(['powerbi.idPowerBi', 'nome', 'username', 'clienteId', 'nomeUsuario as nomeCliente'])
    .select(['powerbi.idResponsavel', 'nomeResponsavel', 'provedor', 'tenantId', 'applicationId'])
    .select([
      'tipoCredencial',
      'perfilPrincipal',
      'validadeSegredo',
      sql<
        string | null
      >`coalesce((leitura_segredo.vence_em at time zone 'America/Sao_Paulo')::date, validade_segredo)`.as(
        'segredoExpiraEm',
      ),
      'resultado as leituraSegredo',
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
  connections(db).$if(!!busca, (query) => query.where(containsWords(['powerbi.nomeBusca'], busca ?? '')))

export const listConnections = async (db: Db, query: ListQuery<Order>): Promise<ListPage<Connection>> => {
  const page = await listPage(db, matching(db, query), { query, orders, byDefault: 'nome' })
  return { ...page, rows: page.rows.map(toWire) }
}

export const exportConnections = (db: Db, filter: Filter) =>
  listWhole(matching(db, filter), { key: 'powerbi.idPowerBi', orders, order: filter.ordem ?? 'nome' })

export const findConnection = async (db: Db, id: number): Promise<Connection | undefined> => {
  const row = await connections(db).where('powerbi.idPowerBi', '=', id).executeTakeFirst()
  return row && toWire(row)
}

/** Returns the record with its encrypted secret, for calls to the provider only. */
export const findCredential = (db: Db, id: number) =>
  db.selectFrom('powerbi').select(connectionColumns).where('idPowerBi', '=', id).executeTakeFirst()

/** Returns a connection of this user name whose last test, if any, did not pass. */
export const findUnproven = (
  db: Db,
  { provedor, username }: { provedor: Connection['provedor']; username: string },
) =>
  db
    .selectFrom('powerbi')
    .leftJoin('testeConexao', 'testeConexao.idPowerBi', 'powerbi.idPowerBi')
    .select(['powerbi.idPowerBi', 'powerbi.versao', 'testeConexao.versao as versaoTestada', 'resultado'])
    .where('provedor', '=', provedor)
    .where('username', '=', username)
    .where(sql<boolean>`coalesce(resultado, 'nunca') <> 'ok'`)
    .orderBy('powerbi.idPowerBi')
    .limit(1)
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

/** Whether a connection still has the credentials of a version. */
export const isOfVersion = async (tx: Db, id: number, versao: number): Promise<boolean> => {
  const row = await tx
    .selectFrom('powerbi')
    .select('idPowerBi')
    .where('idPowerBi', '=', id)
    .where('versao', '=', versao)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the first registered report of each of the connection's first workspaces. */
export const listRegisteredReports = async (db: Db, id: number, limit: number) => {
  const rows = await db
    .selectFrom('relatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .distinctOn('relatorio.idGrupoRelatorio')
    .select(['nomeRelatorio as name', 'nomeGrupo as groupName', 'idGrupo as groupId'])
    .select(['reportId', 'datasetsAdicionais', ...identityColumns])
    .where('idPowerBi', '=', id)
    .orderBy('relatorio.idGrupoRelatorio')
    .orderBy('idRelatorio')
    .limit(limit)
    .execute()
  return rows.map(({ papeisRls, enviaIdentidade, usuarioIdentidade, ...report }) => ({
    ...report,
    rules: { papeisRls, enviaIdentidade, usuarioIdentidade },
  }))
}

/** Returns the connection's registered workspaces by the external id, in lower case. */
export const mapRegisteredGroups = async (db: Db, id: number): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('grupoRelatorio')
    .select(['idGrupoRelatorio', sql<string>`lower(id_grupo)`.as('idGrupo')])
    .where('idPowerBi', '=', id)
    .execute()
  return new Map(rows.map(({ idGrupo, idGrupoRelatorio }) => [idGrupo, idGrupoRelatorio]))
}

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
