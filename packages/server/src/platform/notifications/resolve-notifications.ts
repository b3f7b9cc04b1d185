import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

/**
 * Removes the unread notifications of this subject, whose place a new one takes: several causes
 * leave one line in the bell.
 */
export const dropUnread = async (tx: Db, subject: string): Promise<void> => {
  await sql`
    with retiradas as (
      delete from notificacao where assunto = ${subject} and lida_em is null returning id_usuario
    )
    update usuario set versao_notificacoes = versao_notificacoes + 1
    where id_usuario in (select id_usuario from retiradas)`.execute(tx)
}

/**
 * Marks the administrators' notifications of this subject, or of all with this prefix, as read,
 * because their cause is gone: a pending account was decided on, or a backup or check of the system
 * succeeded.
 */
export const markNotificationsResolved = async (
  tx: Db,
  subject: string | { prefix: string },
  now: Date,
): Promise<void> => {
  const isMeant =
    typeof subject === 'string' ? sql`assunto = ${subject}` : sql`starts_with(assunto, ${subject.prefix})`
  await sql`
    with lidas as (
      update notificacao set lida_em = ${now}::timestamptz
      where ${isMeant} and lida_em is null
        and id_usuario in (select id_usuario from usuario where tipo_usuario = 'ADMIN')
      returning id_usuario
    )
    update usuario set versao_notificacoes = versao_notificacoes + 1
    where id_usuario in (select id_usuario from lidas)`.execute(tx)
}

/** Marks everybody's notifications whose subject has this prefix as read. */
export const markResolvedForAll = async (
  tx: Db,
  { prefix }: { prefix: string },
  now: Date,
): Promise<void> => {
  await sql`
    with lidas as (
      update notificacao set lida_em = ${now}::timestamptz
      where starts_with(assunto, ${prefix}) and lida_em is null
      returning id_usuario
    )
    update usuario set versao_notificacoes = versao_notificacoes + 1
    where id_usuario in (select id_usuario from lidas)`.execute(tx)
}
