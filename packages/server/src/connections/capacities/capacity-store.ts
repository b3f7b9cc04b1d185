import type { CapacityState } from '@bi-manager/contract'
import { type Selectable, sql, type Updateable } from 'kysely'
import { databaseNow, fromNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isCurrent } from '../../platform/db/queries/expiry.ts'
import { hasChanged, hasRow } from '../../platform/db/queries/outcomes.ts'
import type { Tables } from '../../platform/db/types.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { connectionColumns } from '../power-bi/registered-connection.ts'
import type { CapacityReading } from './capacity-api.ts'

/** A capacity as the portal knows it, with the connection that may change it. */
export type KnownCapacity = Awaited<ReturnType<typeof listKnownCapacities>>[number]

export const listKnownCapacities = (db: Db) => withConnections(db, capacityRows(db))

export const findKnownCapacity = async (db: Db, id: number): Promise<KnownCapacity | undefined> =>
  (await withConnections(db, capacityRows(db).where('capacidade.idCapacidade', '=', id)))[0]

const capacityRows = (db: Db) =>
  db
    .selectFrom('capacidade')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'capacidade.idPowerBi')
    .innerJoin('capacidadeEstado', 'capacidadeEstado.idCapacidade', 'capacidade.idCapacidade')
    .select(['capacidade.idCapacidade', 'capacidade.nome as nomeCapacidade', 'recurso'])
    .select(['diasAgenda', 'iniciaAs', 'pausaAs', 'feriados', 'ociosaMinutos', 'tamanhoInicio', 'tamanhoFim'])
    .select(['estado', 'sku', 'lidaEm', 'falha', 'usadaEm', 'agendaFeita', 'agendaPedida'])
    .select(['tamanhoFeito', 'tamanhoPedido', 'tamanhoTentarEm'])
    .select(['iniciadaEm', 'iniciadaPor', 'tentarEm', 'ocupadaAte', 'naoPausada', 'atualizacaoPedida'])
    .select(connectionColumns)
    .select(databaseNow.as('agora'))
    .orderBy('capacidade.idCapacidade')

/**
 * Adds to each capacity the ids of the connections whose workspaces are on it: its own, and those
 * of the same service principal that have no capacity, such as the connections of its profiles.
 */
const withConnections = async (db: Db, query: ReturnType<typeof capacityRows>) => {
  const capacities = await query.execute()
  if (capacities.length === 0) return []
  // PostgreSQL expects so many rows of a subquery for each capacity that it compiles it, for a second.
  const others = await db
    .selectFrom('powerbi')
    .leftJoin('capacidade', 'capacidade.idPowerBi', 'powerbi.idPowerBi')
    .select(['powerbi.idPowerBi', 'applicationId', 'username', 'tenantId'])
    .where('capacidade.idPowerBi', 'is', null)
    .where('provedor', '=', 'microsoft')
    .where('tipoCredencial', '=', 'service_principal')
    .execute()
  return capacities.map((capacity) => {
    const shared = others.filter((other) => principalOf(other) === principalOf(capacity))
    const conexoes = [capacity.idPowerBi, ...shared.map(({ idPowerBi }) => idPowerBi)].toSorted(
      (a, b) => a - b,
    )
    return { ...capacity, conexoes }
  })
}

type Principal = Pick<Selectable<Tables['powerbi']>, 'applicationId' | 'username' | 'tenantId'>

/** Returns a key of the service principal that a connection uses. */
const principalOf = ({ applicationId, username, tenantId }: Principal): string =>
  JSON.stringify([applicationId ?? username, tenantId])

/** Returns the connections and their registered workspaces, for the calls before a pause. */
export const listGuardedRows = (db: Db, ids: number[]) =>
  db
    .selectFrom('powerbi')
    .leftJoin('grupoRelatorio', 'grupoRelatorio.idPowerBi', 'powerbi.idPowerBi')
    .select(['idGrupo', 'nomeGrupo'])
    .select(connectionColumns)
    .where((eb) => eb('powerbi.idPowerBi', '=', eb.fn.any(eb.val(ids))))
    .orderBy('powerbi.idPowerBi')
    .execute()

/** Creates the row that processes share, or begins a changed schedule with its next moment. */
export const beginSchedule = async (tx: Db, idCapacidade: number, now: Date): Promise<void> => {
  await tx
    .insertInto('capacidadeEstado')
    .values({ idCapacidade, agendaFeita: now, tamanhoFeito: now })
    .onConflict((conflict) =>
      conflict.column('idCapacidade').doUpdateSet({
        agendaFeita: now,
        tamanhoFeito: now,
        tentarEm: null,
        tamanhoTentarEm: null,
        naoPausada: null,
      }),
    )
    .execute()
}

const stateOf = (db: Db, id: number) => db.updateTable('capacidadeEstado').where('idCapacidade', '=', id)

/**
 * Claims the next time in a column.
 * @returns false when another process has claimed it in the last `ms`
 */
const claim = (db: Db, id: number, column: 'tentadaEm' | 'vigiadaEm', ms: number) =>
  hasChanged(
    stateOf(db, id)
      .set({ [column]: databaseNow })
      .where(({ eb, or }) => or([eb(column, 'is', null), eb(column, '<=', fromNow(-ms))])),
  )

export const claimReading = (db: Db, id: number, ms: number): Promise<boolean> =>
  claim(db, id, 'tentadaEm', ms)

export const claimWatch = (db: Db, id: number, ms: number): Promise<boolean> => claim(db, id, 'vigiadaEm', ms)

interface ChangeClaim {
  /** Milliseconds. */
  leaseMs: number
  states: CapacityState[]
  /** The end of the caller's own claim, which this one replaces. */
  held?: Date | undefined
  /** The last use; a later one refuses the claim. */
  usedAt?: Date | null | undefined
}

/**
 * Claims the next change of a capacity that is in one of these states.
 * @returns the end of the claim; undefined when another change is under way, the state is another
 * one, or it was used since
 */
export const claimChange = async (
  tx: Db,
  id: number,
  { leaseMs, states, held, usedAt }: ChangeClaim,
): Promise<Date | undefined> => {
  const row = await stateOf(tx, id)
    .set({ ocupadaAte: fromNow(leaseMs) })
    .where(({ eb, or }) =>
      or([
        eb('ocupadaAte', 'is', null),
        eb('ocupadaAte', '<=', databaseNow),
        ...(held ? [eb('ocupadaAte', '=', held)] : []),
      ]),
    )
    .where('estado', 'in', states)
    .$if(usedAt !== undefined, (query) => query.where('usadaEm', 'is not distinct from', usedAt ?? null))
    .returning('ocupadaAte')
    .executeTakeFirst()
  return row?.ocupadaAte ?? undefined
}

export const releaseChange = async (db: Db, id: number, held: Date): Promise<void> => {
  await stateOf(db, id).set({ ocupadaAte: null }).where('ocupadaAte', '=', held).execute()
}

/**
 * Notes that the portal asks for a refresh of data on the capacity now.
 * @returns false while the capacity is being paused or changed
 */
export const noteRefresh = (tx: Db, id: number): Promise<boolean> =>
  hasChanged(
    stateOf(tx, id)
      .set({ atualizacaoPedida: databaseNow })
      .where('estado', '!=', 'PAUSANDO')
      .where(({ eb, or }) =>
        or([eb('estado', '!=', 'ATIVA'), eb('ocupadaAte', 'is', null), eb('ocupadaAte', '<=', databaseNow)]),
      ),
  )

type Columns = Updateable<Tables['capacidadeEstado']>

export const storeState = async (db: Db, id: number, columns: Columns): Promise<void> => {
  await stateOf(db, id).set(columns).execute()
}

/**
 * Stores what Azure answered, unless the state is no longer the one from before the call: the answer
 * may be older than the change that another call or process made.
 */
export const storeReading = (db: Db, id: number, before: CapacityState, columns: Columns): Promise<boolean> =>
  hasChanged(stateOf(db, id).set(columns).where('estado', '=', before))

/** Milliseconds between two readings that belong to one period. */
const gapMs = 10 * 60_000

/** Ends the period in which the capacity ran. */
export const endPeriod = async (db: Db, id: number): Promise<void> => {
  await db
    .updateTable('capacidadePeriodo')
    .set({ encerrado: true })
    .where('idCapacidade', '=', id)
    .where('encerrado', '=', false)
    .execute()
}

/** Adds the time since the last reading to the period in which the capacity runs, or begins one. */
export const extendPeriod = async (
  db: Db,
  id: number,
  { estado, sku }: CapacityReading,
  now: Date,
): Promise<void> => {
  // A paused capacity can be resized, too.
  const isResizing = estado === 'REDIMENSIONANDO'
  await sql`
    with ultimo as (
      select inicio from capacidade_periodo
      where id_capacidade = ${id} and fim >= ${new Date(now.getTime() - gapMs)}::timestamptz
        and not encerrado and (${isResizing}::boolean or sku is not distinct from ${sku}::text)
      order by inicio desc limit 1
    ), estendido as (
      update capacidade_periodo set fim = greatest(fim, ${now}::timestamptz)
      where id_capacidade = ${id} and inicio = (select inicio from ultimo)
      returning 1
    )
    insert into capacidade_periodo (id_capacidade, inicio, fim, sku)
    select id_capacidade, ${now}::timestamptz, ${now}::timestamptz, ${sku}::text from capacidade
    where id_capacidade = ${id} and not ${isResizing}::boolean and not exists (select from estendido)
    on conflict do nothing`.execute(db)
}

/** Returns since when the capacity is seen running. */
export const findRunningSince = async (db: Db, id: number): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('capacidadePeriodo')
    .select('inicio')
    .where('idCapacidade', '=', id)
    .orderBy('inicio', 'desc')
    .executeTakeFirst()
  return row?.inicio
}

/** Notes that a report of these capacities is open. */
export const storeUse = async (db: Db, ids: number[], { now, before }: { now: Date; before: Date }) => {
  await db
    .updateTable('capacidadeEstado')
    .set({ usadaEm: now })
    .where((eb) => eb('idCapacidade', '=', eb.fn.any(eb.val(ids))))
    .where(({ eb, or }) => or([eb('usadaEm', 'is', null), eb('usadaEm', '<', before)]))
    .execute()
}

/** Whether the user starts the capacity by opening a report. */
export const mayStart = async (
  db: Db,
  { idUsuario, tipo }: Pick<Caller, 'idUsuario' | 'tipo'>,
  id: number,
): Promise<boolean> =>
  tipo === 'ADMIN' ||
  hasRow(
    db
      .selectFrom('capacidadePessoa')
      .select('idUsuario')
      .where('idCapacidade', '=', id)
      .where('idUsuario', '=', idUsuario)
      .union(
        db
          .selectFrom('capacidadePerfil')
          .innerJoin('perfilUsuario', 'perfilUsuario.idPerfil', 'capacidadePerfil.idPerfil')
          .select('idUsuario')
          .where('idCapacidade', '=', id)
          .where('idUsuario', '=', idUsuario)
          .where(isCurrent('perfilUsuario.venceEm')),
      ),
  )
