import type { Capacity, CapacityOrder, CapacityStarters, ListQuery } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import {
  contains,
  listPage,
  listWhole,
  type Orders,
  type WholeList,
} from '../../platform/db/queries/list-page.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import { kindOf } from './capacity-api.ts'

type Order = (typeof CapacityOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'>

const orders: Orders<Order> = {
  nome: ['capacidade.nomeNatural', 'capacidade.idCapacidade'],
  nomePowerBi: ['powerbi.nomeNatural', 'capacidade.nomeNatural', 'capacidade.idCapacidade'],
  estadoCapacidade: ['estado', 'capacidade.nomeNatural', 'capacidade.idCapacidade'],
}

const capacities = (db: Db) =>
  db
    .selectFrom('capacidade')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'capacidade.idPowerBi')
    .innerJoin('capacidadeEstado', 'capacidadeEstado.idCapacidade', 'capacidade.idCapacidade')
    .select(['capacidade.idCapacidade', 'capacidade.nome', 'capacidade.idPowerBi'])
    .select(['powerbi.nome as nomePowerBi', 'recurso', 'diasAgenda', 'iniciaAs', 'pausaAs', 'feriados'])
    .select([
      'tamanhoInicio',
      'tamanhoFim',
      'ociosaMinutos',
      'estado as estadoCapacidade',
      'sku',
      'capacidade.versao',
    ])

type Row = Omit<Capacity, 'tipoCapacidade'>

const toWire = (row: Row): Capacity => ({ ...row, tipoCapacidade: kindOf(row.recurso) })

const matching = (db: Db, { busca }: Filter) =>
  capacities(db).$if(!!busca, (query) => query.where(contains('capacidade.nomeBusca', busca ?? '')))

export const listCapacities = async (db: Db, query: ListQuery<Order>) => {
  const page = await listPage(db, matching(db, query), { query, orders, byDefault: 'nome' })
  return { ...page, rows: page.rows.map(toWire) }
}

export const exportCapacities = async (db: Db, filter: Filter): Promise<WholeList<object>> => {
  const { count, rows } = await listWhole(matching(db, filter), {
    key: 'capacidade.idCapacidade',
    orders,
    order: filter.ordem ?? 'nome',
  })
  async function* lines() {
    for await (const row of rows) {
      const { diasAgenda, feriados } = row
      yield { ...toWire(row), diasAgenda: diasAgenda.join(', '), feriados: feriados.join(', ') }
    }
  }
  return { count, rows: lines() }
}

export const findCapacity = async (db: Db, id: number): Promise<Capacity | undefined> => {
  const row = await capacities(db).where('capacidade.idCapacidade', '=', id).executeTakeFirst()
  return row && toWire(row)
}

/** Returns whether the portal can call Azure with the credential of this connection. */
export const mayManage = async (db: Db, idPowerBi: number): Promise<boolean> => {
  const row = await db
    .selectFrom('powerbi')
    .select(['provedor', 'tipoCredencial'])
    .where('idPowerBi', '=', idPowerBi)
    .executeTakeFirst()
  // A missing connection is refused by its foreign key.
  return !row || (row.provedor === 'microsoft' && row.tipoCredencial === 'service_principal')
}

export const findStarters = async (db: Db, idCapacidade: number): Promise<CapacityStarters> => {
  const [pessoas, perfis] = await Promise.all([
    db
      .selectFrom('capacidadePessoa')
      .innerJoin('usuario', 'usuario.idUsuario', 'capacidadePessoa.idUsuario')
      .select(['usuario.idUsuario', 'nomeUsuario'])
      .where('idCapacidade', '=', idCapacidade)
      .orderBy('nomeNatural')
      .orderBy('usuario.idUsuario')
      .execute(),
    db
      .selectFrom('capacidadePerfil')
      .innerJoin('perfil', 'perfil.idPerfil', 'capacidadePerfil.idPerfil')
      .select(['perfil.idPerfil', 'nomePerfil'])
      .where('idCapacidade', '=', idCapacidade)
      .orderBy('nomeNatural')
      .orderBy('perfil.idPerfil')
      .execute(),
  ])
  return { pessoas, perfis }
}

interface Person {
  idCapacidade: number
  idUsuario: number
}

interface OfProfile {
  idCapacidade: number
  idPerfil: number
}

/** @returns whether the person was not allowed before */
export const insertPerson = (tx: Db, person: Person): Promise<boolean> =>
  hasChanged(
    tx
      .insertInto('capacidadePessoa')
      .values(person)
      .onConflict((conflict) => conflict.doNothing()),
  )

/** @returns whether the person was allowed before */
export const deletePerson = (tx: Db, { idCapacidade, idUsuario }: Person): Promise<boolean> =>
  hasChanged(
    tx
      .deleteFrom('capacidadePessoa')
      .where('idCapacidade', '=', idCapacidade)
      .where('idUsuario', '=', idUsuario),
  )

/** @returns whether the profile was not allowed before */
export const insertProfile = (tx: Db, profile: OfProfile): Promise<boolean> =>
  hasChanged(
    tx
      .insertInto('capacidadePerfil')
      .values(profile)
      .onConflict((conflict) => conflict.doNothing()),
  )

/** @returns whether the profile was allowed before */
export const deleteProfile = (tx: Db, { idCapacidade, idPerfil }: OfProfile): Promise<boolean> =>
  hasChanged(
    tx
      .deleteFrom('capacidadePerfil')
      .where('idCapacidade', '=', idCapacidade)
      .where('idPerfil', '=', idPerfil),
  )
