import type { ListQuery, Recurrence } from '@bi-manager/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords, type ListPage, listPage, type Orders } from '../../platform/db/queries/list-page.ts'
import { deleteRow, type Keyed } from '../../platform/db/transactions/lock-row.ts'
import type { Audit, Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { nextRun } from '../../platform/lib/recurrence.ts'
import { takeBack } from '../../platform/notifications/notify.ts'
import { type ExportableReport, selectExportableReports, type Viewer, viewerOf } from '../../reports/index.ts'

/* The rows of alerts and subscriptions: each belongs to a person, the owner, and ADMINs see all. */

interface Kind<DB, TB extends keyof DB, R, W, A extends string, N extends string, O extends string> {
  entity: Keyed & { kind: string; name: N }
  /** The audited actions are `alert.updated`, … */
  action: 'alert' | 'subscription'
  /** The column and field for whether it is active. */
  active: A
  /** How many a person may have, and the problem of one more. */
  limit: { most: number; problem: 'alertas_demais' | 'assinaturas_demais' }
  /** Selects rows for a viewer, with the table `usuario` of the owner as `dono`. */
  select: (db: Db, viewer: Viewer) => SelectQueryBuilder<DB, TB, R>
  toWire: (db: Db, rows: R[], viewer: Viewer) => Promise<W[]>
  /** Of the columns that are generated from its name. */
  prefix: 'nome' | 'assunto'
  /** Orders of the list besides name, report and owner. */
  orders: Orders<O>
  /** Returns the report and the audited fields, also those that the caller may not see. */
  trailOf: (tx: Db, id: number) => Promise<{ idRelatorio: number } & Record<string, unknown>>
  /** Other columns that a change of `active` sets. */
  restart?: RawBuilder<unknown>
}

interface Changing {
  user: Caller
  write: Write
}

/** Returns what people do with their own rows of this kind, and ADMINs with all. */
export const createOwnRows = <
  DB,
  TB extends keyof DB,
  R,
  W extends Recurrence & { versao: number } & Record<A, boolean>,
  A extends string,
  N extends string,
  O extends string,
>({
  entity,
  action,
  active,
  limit,
  select,
  toWire,
  prefix,
  orders,
  trailOf,
  restart = sql``,
}: Kind<DB, TB, R, W, A, N, O>) => {
  const table = sql.table(entity.table)
  const column = (name: string) => sql.ref<number>(`${entity.table}.${name}`)
  const id = `${entity.table}.${entity.id}`
  const natural = `${entity.table}.${prefix}Natural`
  const isOf = ({ idUsuario }: Viewer) => sql<boolean>`${column('idDono')} = ${idUsuario}`
  const isOn = (idRelatorio: number | undefined) =>
    idRelatorio === undefined ? sql<boolean>`true` : sql<boolean>`${column('idRelatorio')} = ${idRelatorio}`
  const subjectOf = (one: number) => `${entity.kind}:${one}`

  /** Returns one of the viewer's, or any one to an ADMIN. */
  const find = async (db: Db, viewer: Viewer, one: number): Promise<W | undefined> => {
    const rows = await select(db, viewer)
      .where(sql<boolean>`${sql.ref(id)} = ${one}`)
      .where(viewer.isAdmin ? sql<boolean>`true` : isOf(viewer))
      .execute()
    return (await toWire(db, rows as R[], viewer))[0]
  }

  const get = async (db: Db, one: number, user: Caller): Promise<W> =>
    orNotFound(await find(db, viewerOf(user), one))

  /** Locks one that the caller may pause or delete. */
  const lock = (tx: Db, one: number, user: Caller, ifMatch?: number): Promise<W> =>
    lockEntity(tx, entity, one, (tx, one) => find(tx, viewerOf(user), one), ifMatch)

  /** Changes one that is locked: notifications about it are taken back, since they may no longer hold. */
  const change = async (
    tx: Db,
    audit: Audit,
    one: number,
    user: Caller,
    store: () => Promise<unknown>,
  ): Promise<W> => {
    const before = await trailOf(tx, one)
    await takeBack(tx, subjectOf(one))
    await store()
    const after = await get(tx, one, user)
    const trail = changeOf(before, { ...(await trailOf(tx, one)), versao: after.versao })
    await audit(`${action}.updated`, subjectOf(one), { idRelatorio: before.idRelatorio, ...trail })
    return after
  }

  return {
    subjectOf,
    get,
    lock,

    /** Returns the user's own, on one report or all. */
    listOwn: async (db: Db, user: Caller, idRelatorio?: number): Promise<W[]> => {
      const viewer = viewerOf(user)
      const own = select(db, viewer).where(isOf(viewer)).where(isOn(idRelatorio))
      const rows = await own.orderBy(sql.ref(natural)).orderBy(sql.ref(id)).execute()
      return toWire(db, rows as R[], viewer)
    },

    /** Returns a page of everybody's, for an ADMIN. */
    listAll: async (
      db: Db,
      user: Caller,
      query: ListQuery<N | O | 'nomeRelatorio' | 'nomeDono'> & { idRelatorio?: number | undefined },
    ): Promise<ListPage<W>> => {
      const viewer = viewerOf(user)
      const matching = select(db, viewer)
        .where(isOn(query.idRelatorio))
        .where(
          containsWords(
            [`${entity.table}.${prefix}Busca`, 'relatorio.nomeBusca', 'dono.nomeBusca'],
            query.busca ?? '',
          ),
        )
      const all = {
        [entity.name]: [natural, id],
        nomeRelatorio: ['relatorio.nomeNatural', natural, id],
        nomeDono: ['dono.nomeNatural', natural, id],
        ...orders,
      } as Orders<N | O | 'nomeRelatorio' | 'nomeDono'>
      const page = await listPage(db, matching, { query, orders: all, byDefault: entity.name })
      return { ...page, rows: await toWire(db, page.rows, viewer) }
    },

    change,

    /** Ends the creation of one in `write.exclusive`. @throws Problem 409 when the user has too many */
    created: async (tx: Db, audit: Audit, one: number, user: Caller): Promise<W> => {
      const { rows } = await sql<{ total: number }>`
        select count(*)::int as total from ${table} where id_dono = ${user.idUsuario}`.execute(tx)
      if ((rows[0]?.total ?? 0) > limit.most) throw new Problem(limit.problem)
      const { idRelatorio, ...depois } = await trailOf(tx, one)
      await audit(`${action}.created`, subjectOf(one), { idRelatorio, depois })
      return get(tx, one, user)
    },

    setActive: (one: number, isActive: boolean, now: Date, { user, write }: Changing): Promise<W> =>
      write(async (tx, audit) => {
        const before = await lock(tx, one, user)
        if (before[active] === isActive) return before
        const next = isActive ? nextRun(before, now) : null
        return change(tx, audit, one, user, () =>
          sql`update ${table}
            set ${sql.ref(active)} = ${isActive}, proxima_em = ${next}::timestamptz, atualizada_ate = ${now},
              versao = versao + 1${restart}
            where ${sql.ref(entity.id)} = ${one}`.execute(tx),
        )
      }),

    remove: (one: number, { user, write }: Changing): Promise<void> =>
      write(async (tx, audit) => {
        await lock(tx, one, user)
        const { idRelatorio, ...antes } = await trailOf(tx, one)
        await deleteRow(tx, entity, one)
        await audit(`${action}.deleted`, subjectOf(one), { idRelatorio, antes })
      }),
  }
}

/** Returns the report of an alert or subscription. @throws Problem 404 when it does not exist */
export const getReport = async (db: Db, id: number): Promise<ExportableReport> =>
  orNotFound(await selectExportableReports(db).where('relatorio.idRelatorio', '=', id).executeTakeFirst())

/** @throws Problem 422 at a field of a draft that does not fit the report or the owner */
export const refuse = (field: string, message: string): never => {
  throw new Problem('campos_invalidos', { campos: { [field]: message } })
}
