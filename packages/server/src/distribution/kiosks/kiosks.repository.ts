import type { Kiosk, KioskDraft, KioskOrder, ListQuery } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords, listPage } from '../../platform/db/queries/list-page.ts'
import { denialReasonOf, isRefused, type KioskPageRow, selectKioskPages } from './kiosk-pages.ts'

type Order = (typeof KioskOrder)[number]

const kiosks = (db: Db) =>
  db
    .selectFrom('telao')
    .leftJoin('telaoTela', 'telaoTela.idTelao', 'telao.idTelao')
    .leftJoin('usuario', 'usuario.idUsuario', 'telaoTela.conectadaPor')
    .select(['telao.idTelao', 'telao.nome', 'aparencia', 'ativo', 'validadeDias', 'usuarioIdentidade'])
    .select(['telao.identidadeRls', 'redes', 'conectadaEm', 'nomeUsuario as conectadaPor', 'dispositivo'])
    .select(['vistaEm', 'expiraEm', 'telao.versao'])

type Row = Awaited<ReturnType<ReturnType<typeof kiosks>['execute']>>[number]

export const listKiosks = async (db: Db, query: ListQuery<Order>) => {
  const { busca } = query
  const matching = kiosks(db).$if(!!busca, (some) =>
    some.where(containsWords(['telao.nomeBusca'], busca ?? '')),
  )
  const orders = { nome: ['telao.nomeOrdem', 'telao.idTelao'] }
  const page = await listPage(db, matching, { query, orders, byDefault: 'nome' })
  return { ...page, rows: await withPages(db, page.rows) }
}

export const findKiosk = async (db: Db, id: number): Promise<Kiosk | undefined> => {
  const [kiosk] = await withPages(db, await kiosks(db).where('telao.idTelao', '=', id).execute())
  return kiosk
}

/** Reads the pages of all these kiosks in one query. */
const withPages = async (db: Db, rows: Row[]): Promise<Kiosk[]> => {
  const ids = rows.map(({ idTelao }) => idTelao)
  const pages = await selectKioskPages(db)
    .where(sql<boolean>`telao_pagina.id_telao = any(${ids}::int[])`)
    .execute()
  const byKiosk = Map.groupBy(pages, ({ idTelao }) => idTelao)
  return rows.map((row) => ({
    ...row,
    paginas: (byKiosk.get(row.idTelao) ?? []).map(toWire),
    conectadaEm: row.conectadaEm?.toISOString() ?? null,
    vistaEm: row.vistaEm?.toISOString() ?? null,
    expiraEm: row.expiraEm?.toISOString() ?? null,
  }))
}

const toWire = (page: KioskPageRow): Kiosk['paginas'][number] => {
  const { idTelaoPagina, idRelatorio, nomeRelatorio, pagina, tituloPagina, segundos } = page
  return {
    idTelaoPagina,
    idRelatorio,
    nomeRelatorio,
    pagina,
    tituloPagina,
    segundos,
    impedimento: denialReasonOf(page),
  }
}

/** Returns the pages with which the kiosk cannot be saved. */
export const listRefusedPages = async (tx: Db, idTelao: number) => {
  const pages = await selectKioskPages(tx).where('telaoPagina.idTelao', '=', idTelao).execute()
  return pages.filter(isRefused).map(toWire)
}

/**
 * Replaces the pages of a kiosk; the names of unknown reports are left to the foreign key. A page
 * of the same report and name keeps its id: a running screen goes on with what it shows.
 */
export const replacePages = async (tx: Db, idTelao: number, pages: KioskDraft['paginas']): Promise<void> => {
  const before = await tx
    .selectFrom('telaoPagina')
    .select(['idTelaoPagina', 'idRelatorio', 'pagina'])
    .where('idTelao', '=', idTelao)
    .orderBy('posicao')
    .execute()
  const rows = pages.map(({ idRelatorio, pagina = null, tituloPagina = null, segundos }, posicao) => {
    const same = before.findIndex((one) => one.idRelatorio === idRelatorio && one.pagina === pagina)
    const [kept] = same < 0 ? [] : before.splice(same, 1)
    return {
      id: kept?.idTelaoPagina ?? null,
      posicao,
      idRelatorio,
      pagina,
      segundos,
      tituloPagina: pagina === null ? null : tituloPagina,
    }
  })
  const gone = before.map(({ idTelaoPagina }) => idTelaoPagina)
  await sql`delete from telao_pagina where id_telao_pagina = any(${gone}::int[])`.execute(tx)
  await sql`
    merge into telao_pagina as t using (
      select p.*, coalesce(nome_relatorio, '') as nome
      from json_to_recordset(${JSON.stringify(rows)}::json) as p(
        id int, posicao int, "idRelatorio" int, pagina text, "tituloPagina" text, segundos int)
      left join relatorio on relatorio.id_relatorio = p."idRelatorio"
      order by p.posicao
    ) as p on t.id_telao_pagina = p.id
    when matched then update set posicao = p.posicao, nome_relatorio = p.nome,
      titulo_pagina = p."tituloPagina", segundos = p.segundos
    when not matched then
      insert (id_telao, posicao, id_relatorio, nome_relatorio, pagina, titulo_pagina, segundos)
      values (${idTelao}::int, p.posicao, p."idRelatorio", p.nome, p.pagina, p."tituloPagina", p.segundos)`.execute(
    tx,
  )
}

/** A screen that shows a code. */
interface Pairing {
  marcaCodigo: string
  marca: string
  criadoEm: Date
  expiraEm: Date
  dispositivo: string | null
  endereco: string
  /** Null: a code of the previous version. */
  rede: string | null
}

/** Screens that may wait at once: anyone may ask for a code. */
const waitingAtMost = 1_000

/**
 * Deletes expired codes, and inserts one. When too many screens wait, the oldest of the network
 * with the most of them leave: one network cannot lock the others out.
 */
export const insertPairing = async (tx: Db, pairing: Pairing): Promise<void> => {
  await tx.deleteFrom('telaoCodigo').where('expiraEm', '<=', pairing.criadoEm).execute()
  await sql`
    delete from telao_codigo where marca_codigo in (
      select marca_codigo
      from (select *, count(*) over (partition by rede) as da_rede from telao_codigo) as c
      order by da_rede desc, criado_em
      limit greatest(0, (select count(*) from telao_codigo) - ${waitingAtMost - 1}::int))`.execute(tx)
  await tx.insertInto('telaoCodigo').values(pairing).execute()
}

export const findPairing = (db: Db, marcaCodigo: string, now: Date): Promise<Pairing | undefined> =>
  db
    .selectFrom('telaoCodigo')
    .selectAll()
    .where('marcaCodigo', '=', marcaCodigo)
    .where('expiraEm', '>', now)
    .executeTakeFirst()

/** Whether a screen waits for its code to be typed, is connected, or neither. */
export const findPairingState = async (
  db: Db,
  marca: string,
  now: Date,
): Promise<'AGUARDANDO' | 'CONECTADA' | undefined> => {
  const { rows } = await sql<{ aguarda: boolean; conectada: boolean }>`
    select exists (select from telao_codigo where marca = ${marca} and expira_em > ${now}) as aguarda,
      exists (select from telao_tela where marca = ${marca} and expira_em > ${now}) as conectada`.execute(db)
  const { aguarda = false, conectada = false } = rows[0] ?? {}
  return conectada ? 'CONECTADA' : aguarda ? 'AGUARDANDO' : undefined
}

/** Consumes a code. Of two concurrent calls, one gets it. */
export const takePairing = (tx: Db, marcaCodigo: string, now: Date): Promise<Pairing | undefined> =>
  tx
    .deleteFrom('telaoCodigo')
    .where('marcaCodigo', '=', marcaCodigo)
    .where('expiraEm', '>', now)
    .returningAll()
    .executeTakeFirst()

interface Connection {
  idTelao: number
  marca: string
  conectadaPor: number
  conectadaEm: Date
  expiraEm: Date
  dispositivo: string | null
}

/** Connects a screen; the one connected before is disconnected. */
export const connectScreen = async (tx: Db, screen: Connection): Promise<void> => {
  const { idTelao, ...values } = screen
  await tx
    .insertInto('telaoTela')
    .values(screen)
    .onConflict((conflict) => conflict.column('idTelao').doUpdateSet({ ...values, vistaEm: null }))
    .execute()
}

/** @returns whether a screen was connected */
export const disconnectScreen = async (tx: Db, idTelao: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('telaoTela')
    .where('idTelao', '=', idTelao)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
