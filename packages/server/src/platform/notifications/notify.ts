import type { NotificationKind } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { isActiveAccount } from '../db/queries/expiry.ts'

export interface NotificationDraft {
  tipo: NotificationKind
  /** Portuguese, shown on screen. */
  titulo: string
  texto: string
  /** The portal page that it is about. */
  rota?: string
  /** `powerbi:3`. While a notification with this subject is unread, no other is written. */
  assunto?: string
  /** The comment that it is about: only a person who may read it sees the notification. */
  idComentario?: number
  /** The alert that it is about: only a person who may see its report sees the notification. */
  idAlerta?: number
  /** Digest of what determined the alert's value: the text is shown only while it is the current one. */
  alcance?: string
}

/** `guardioes`: every active ADMIN and every active data protection officer. */
type Audience = readonly number[] | 'administradores' | 'guardioes'

/** Within this time, an unread notification with the same words is not repeated. */
const AT_ONCE_MS = 60_000

/**
 * Inserts a notification for each of these users, in the transaction of its cause. Open windows
 * show it within seconds.
 * @param but the users to leave out, such as the one whose act it is
 */
export const notify = async (...inserted: Parameters<typeof insertNotifications>): Promise<void> => {
  await insertNotifications(...inserted)
}

/** As `notify`. @returns the ids of those who got it: it may repeat an unread one */
export const insertNotifications = async (
  tx: Db,
  people: Audience,
  { tipo, titulo, texto, rota, assunto, idComentario, idAlerta, alcance }: NotificationDraft,
  now: Date,
  { but = [] }: { but?: readonly number[] } = {},
): Promise<number[]> => {
  const isMeant = sql`(tipo_usuario = 'ADMIN' or encarregado_dados and ${people === 'guardioes'}::boolean)`
  const whom =
    typeof people === 'string'
      ? sql`select id_usuario from usuario where ${isActiveAccount()} and id_usuario <> all(${[...but]}::int[]) and ${isMeant}`
      : sql`select id_usuario from usuario where id_usuario = any(${[...people]}::int[])`
  const { rows } = await sql<{ idUsuario: number }>`
    with novas as (
      insert into notificacao (id_usuario, tipo, titulo, texto, rota, assunto, id_comentario, id_alerta,
        alcance, criada_em)
      select id_usuario, ${tipo}, ${titulo}, ${texto}, ${rota ?? null}, ${assunto ?? null},
        ${idComentario ?? null}::int, ${idAlerta ?? null}::int, ${alcance ?? null},
        ${now}::timestamptz
      from (${whom}) pessoas
      where not exists (
        select from notificacao n
        where n.id_usuario = pessoas.id_usuario and n.lida_em is null
          and n.criada_em > ${new Date(now.getTime() - AT_ONCE_MS)}::timestamptz
          and (n.tipo, n.titulo, n.texto, n.rota) is not distinct from
            (${tipo}, ${titulo}, ${texto}, ${rota ?? null}::text))
      on conflict (id_usuario, assunto) where lida_em is null do nothing
      returning id_usuario
    )
    update usuario set versao_notificacoes = versao_notificacoes + 1
    where id_usuario in (select id_usuario from novas)
    returning id_usuario as "idUsuario"`.execute(tx)
  return rows.map(({ idUsuario }) => idUsuario)
}
