import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

/** Marks the administrators' notifications of this subject as read, as it is dealt with. */
export const markNotificationsResolved = async (tx: Db, assunto: string, now: Date): Promise<void> => {
  await sql`
    with lidas as (
      update notificacao set lida_em = ${now}::timestamptz
      where assunto = ${assunto} and lida_em is null
        and id_usuario in (select id_usuario from usuario where tipo_usuario = 'ADMIN')
      returning id_usuario
    )
    update usuario set versao_notificacoes = versao_notificacoes + 1
    where id_usuario in (select id_usuario from lidas)`.execute(tx)
}
