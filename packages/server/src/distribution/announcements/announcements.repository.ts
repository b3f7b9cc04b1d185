import type { Announcement, AnnouncementDraft, AnnouncementOrder, ListQuery } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords, listPage } from '../../platform/db/queries/list-page.ts'
import { isInAudience, isRead } from './announcements.ts'

type Order = (typeof AnnouncementOrder)[number]

const announcements = (db: Db) =>
  db
    .selectFrom('aviso')
    .select(['idAviso', 'titulo', 'texto', 'inicio', 'fim', 'publico', 'forma', 'manutencao', 'versao'])
    .select(
      sql<Announcement['perfis']>`coalesce((
        select json_agg(json_build_object('idPerfil', id_perfil, 'nomePerfil', nome_perfil)
          order by nome_natural, id_perfil)
        from aviso_perfil join perfil using (id_perfil)
        where aviso_perfil.id_aviso = aviso.id_aviso), '[]'::json)`.as('perfis'),
    )
    .select(
      sql<[number, number]>`(select array[count(*)::int, (count(*) filter (where ${isRead}))::int]
        from usuario where ${isInAudience})`.as('pessoas'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof announcements>['execute']>>[number]

const toWire = ({ pessoas: [destinatarios, lidos], ...row }: Row): Announcement => ({
  ...row,
  inicio: row.inicio.toISOString(),
  fim: row.fim.toISOString(),
  destinatarios,
  lidos,
})

export const listAnnouncements = async (db: Db, query: ListQuery<Order>) => {
  const { busca } = query
  const matching = announcements(db).$if(!!busca, (some) =>
    some.where(containsWords(['tituloBusca'], busca ?? '')),
  )
  const orders = {
    titulo: ['tituloNatural', 'idAviso'],
    inicio: ['inicio', 'idAviso'],
    fim: ['fim', 'idAviso'],
  }
  const page = await listPage(db, matching, { query, orders, byDefault: '-inicio' })
  return { ...page, rows: page.rows.map(toWire) }
}

export const findAnnouncement = async (db: Db, id: number): Promise<Announcement | undefined> => {
  const row = await announcements(db).where('idAviso', '=', id).executeTakeFirst()
  return row && toWire(row)
}

/** Returns the columns of a draft. An edited announcement is told to open windows again. */
export const valuesOf = ({ idPerfis: _, inicio, fim, ...draft }: AnnouncementDraft) => ({
  ...draft,
  inicio: new Date(inicio),
  fim: new Date(fim),
  divulgado: false,
})

/** Replaces the profiles of an announcement; only the audience 'PERFIS' has some. */
export const replaceProfiles = async (
  tx: Db,
  id: number,
  { publico, idPerfis }: Pick<AnnouncementDraft, 'publico' | 'idPerfis'>,
): Promise<void> => {
  await tx.deleteFrom('avisoPerfil').where('idAviso', '=', id).execute()
  if (publico !== 'PERFIS') return
  await tx
    .insertInto('avisoPerfil')
    .values(idPerfis.map((idPerfil) => ({ idAviso: id, idPerfil })))
    .execute()
}
