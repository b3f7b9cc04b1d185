import { type PublicAnnouncement, plainTextOf, type ShownAnnouncement } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount, isCurrent } from '../../platform/db/queries/expiry.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'

/** In a query with both tables: whether the announcement `aviso` is for the active person `usuario`. */
export const isInAudience = sql<boolean>`(${isActiveAccount()} and case aviso.publico
  when 'TODOS' then true
  when 'ADMINISTRADORES' then usuario.tipo_usuario = 'ADMIN'
  when 'USUARIOS' then usuario.tipo_usuario = 'USER'
  else exists (
    select from aviso_perfil ap join perfil_usuario pu on pu.id_perfil = ap.id_perfil
    where ap.id_aviso = aviso.id_aviso and pu.id_usuario = usuario.id_usuario and ${isCurrent('pu.venceEm')})
  end)`

/** Whether the announcement `aviso` is shown at this instant. */
const isShownAt = (now: Date) =>
  sql<boolean>`(aviso.inicio <= ${now}::timestamptz and ${now}::timestamptz < aviso.fim)`

/** Whether the person `usuario` has read the announcement `aviso`. */
export const isRead = sql<boolean>`exists (
  select from aviso_pessoa p
  where p.id_aviso = aviso.id_aviso and p.id_usuario = usuario.id_usuario and p.lido_em is not null)`

const shownTo = (db: Db, idUsuario: number, now: Date) =>
  db
    .selectFrom('aviso')
    .innerJoin('usuario', (join) => join.on('usuario.idUsuario', '=', idUsuario))
    .select(['aviso.idAviso', 'titulo', 'texto', 'inicio', 'fim', 'manutencao'])
    .where(isShownAt(now))
    .where(isInAudience)

type Row = Awaited<ReturnType<ReturnType<typeof shownTo>['execute']>>[number]

const toWire = (row: Row): ShownAnnouncement => ({
  ...row,
  inicio: row.inicio.toISOString(),
  fim: row.fim.toISOString(),
})

/** Banners that a person sees: those of maintenance first, then the newest. */
const MAX_BANNERS = 20

/** Returns the person's unread announcements of the form 'FAIXA'. */
export const listBanners = async (db: Db, idUsuario: number, now: Date): Promise<ShownAnnouncement[]> => {
  const rows = await shownTo(db, idUsuario, now)
    .where('forma', '=', 'FAIXA')
    .where(sql<boolean>`not ${isRead}`)
    .orderBy('manutencao', 'desc')
    .orderBy('inicio', 'desc')
    .orderBy('aviso.idAviso', 'desc')
    .limit(MAX_BANNERS)
    .execute()
  return rows.map(toWire)
}

/** Returns the announcement if it is shown now and is for this person. */
export const findShown = async (
  db: Db,
  { id, idUsuario, now }: { id: number; idUsuario: number; now: Date },
): Promise<ShownAnnouncement | undefined> => {
  const row = await shownTo(db, idUsuario, now).where('aviso.idAviso', '=', id).executeTakeFirst()
  return row && toWire(row)
}

/** Returns what the sign-in page shows to anybody. */
export const listPublicAnnouncements = (db: Db, now: Date): Promise<PublicAnnouncement[]> =>
  db
    .selectFrom('aviso')
    .select(['titulo', 'texto'])
    .where('manutencao', '=', true)
    .where(isShownAt(now))
    .orderBy('inicio', 'desc')
    .orderBy('idAviso', 'desc')
    .limit(3)
    .execute()

/** The subject of an announcement's notifications. */
const subjectOfAnnouncement = (id: number) => `aviso:${id}`

/** Tells the open windows of all people that their announcements may have changed. */
export const refreshOpenWindows = async (tx: Db, now: Date): Promise<void> => {
  await sql`update usuario set versao_notificacoes = versao_notificacoes + 1
    where id_usuario in (
      select id_usuario from sessao where encerrada_em is null and expira_em > ${now}::timestamptz)`.execute(
    tx,
  )
}

/**
 * Tells open windows of the banners that have begun, puts the current announcements of the bell into
 * the bell of each person of their audience who has not got them, and takes out those that have
 * ended. Repeating it changes nothing.
 */
export const announce = async (tx: Db, now: Date): Promise<void> => {
  const { rows: begun } = await sql<{ forma: string }>`update aviso set divulgado = true
    where not divulgado and inicio <= ${now}::timestamptz returning forma`.execute(tx)
  if (begun.some(({ forma }) => forma === 'FAIXA')) await refreshOpenWindows(tx, now)
  const ended = await tx
    .selectFrom('aviso')
    .select('idAviso')
    .where('fim', '<=', now)
    .where(sql<boolean>`exists (
      select from aviso_pessoa p where p.id_aviso = aviso.id_aviso and p.lido_em is null)`)
    .execute()
  for (const { idAviso } of ended) await withdrawFromBell(tx, idAviso)
  const current = await tx
    .selectFrom('aviso')
    .select(['idAviso', 'titulo', 'texto'])
    .where('forma', '=', 'SINO')
    .where(isShownAt(now))
    .execute()
  for (const { idAviso, titulo, texto } of current) {
    const { rows } = await sql<{ idUsuario: number }>`
      insert into aviso_pessoa (id_aviso, id_usuario)
      select aviso.id_aviso, usuario.id_usuario
      from aviso cross join usuario
      where aviso.id_aviso = ${idAviso} and ${isInAudience}
      on conflict do nothing
      returning id_usuario`.execute(tx)
    const audience = rows.map(({ idUsuario }) => idUsuario)
    const bell = { titulo, texto: plainTextOf(texto), rota: `/aviso/${idAviso}` }
    await notify(tx, { audience, kind: 'aviso', subject: subjectOfAnnouncement(idAviso), bell }, now)
  }
}

/** Takes an announcement out of the bell of all who have not read it. */
export const withdrawFromBell = async (tx: Db, id: number): Promise<void> => {
  await takeBack(tx, subjectOfAnnouncement(id), { erase: true })
  await tx.deleteFrom('avisoPessoa').where('idAviso', '=', id).where('lidoEm', 'is', null).execute()
}

/** Forgets who has read an announcement: in another form it is shown to all, its writer too. */
export const deleteReadings = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('avisoPessoa').where('idAviso', '=', id).execute()
}

/** Stores that a person has read an announcement, also in the bell; the first time counts. */
export const storeReading = async (
  tx: Db,
  { id, idUsuario, now }: { id: number; idUsuario: number; now: Date },
): Promise<void> => {
  await sql`insert into aviso_pessoa (id_aviso, id_usuario, lido_em)
    values (${id}, ${idUsuario}, ${now}::timestamptz)
    on conflict (id_aviso, id_usuario) do update set lido_em = excluded.lido_em
    where aviso_pessoa.lido_em is null`.execute(tx)
  await tx
    .updateTable('notificacao')
    .set({ lidaEm: now })
    .where('idUsuario', '=', idUsuario)
    .where('assunto', '=', subjectOfAnnouncement(id))
    .where('lidaEm', 'is', null)
    .execute()
  // The person's other windows show it too.
  await tx
    .updateTable('usuario')
    .set((eb) => ({ versaoNotificacoes: eb('versaoNotificacoes', '+', 1) }))
    .where('idUsuario', '=', idUsuario)
    .execute()
}

/** Stores as read the announcements whose notifications the person has read in the bell. */
export const storeBellReadings = async (tx: Db, idUsuario: number): Promise<void> => {
  await sql`update aviso_pessoa p set lido_em = n.lida_em
    from notificacao n
    where p.id_usuario = ${idUsuario} and p.lido_em is null
      and n.id_usuario = p.id_usuario and n.assunto = 'aviso:' || p.id_aviso
      and n.lida_em is not null`.execute(tx)
}
