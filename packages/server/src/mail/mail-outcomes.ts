import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { isOfWholeServer, isPermanent, type MailFailure } from './mail-failure.ts'

const day = 24 * 3_600_000
const failuresKept = 7 * day

/** Records that the mail server, or the folder, has accepted a message to this address. */
export const recordDelivery = async (
  db: Db,
  { para, idMensagem, now }: { para: string; idMensagem?: number; now: Date },
): Promise<void> => {
  const cleared = { entregueEm: now, falhandoDesde: null, codigo: null, motivo: null }
  await db
    .insertInto('correio')
    .values(cleared)
    .onConflict((conflict) => conflict.column('unico').doUpdateSet(cleared))
    .execute()
  await sql`delete from email_nao_entregue where email = lower(${para})`.execute(db)
  if (idMensagem === undefined) return
  await db
    .updateTable('falhaEmail')
    .set({ desfecho: 'entregue' })
    .where('idMensagem', '=', idMensagem)
    .execute()
}

interface Failed {
  para: string
  failure: MailFailure
  now: Date
  /** The queued message; undefined for one without retries. */
  message?: { idMensagem: number; modelo: string; isGivenUp: boolean }
}

/**
 * Records a failed delivery. Marks the user of the address when no later attempt can succeed: after
 * a permanent refusal, or when the message is given up.
 */
export const recordFailure = async (db: Db, { para, failure, now, message }: Failed): Promise<void> => {
  const { codigo, motivo } = failure
  if (isOfWholeServer(failure)) {
    await db
      .insertInto('correio')
      .values({ falhandoDesde: now, codigo, motivo })
      .onConflict((conflict) =>
        conflict.column('unico').doUpdateSet({
          falhandoDesde: sql<Date>`coalesce(correio.falhando_desde, excluded.falhando_desde)`,
          codigo,
          motivo,
        }),
      )
      .execute()
  }
  if (!message) return
  const { idMensagem, modelo, isGivenUp } = message
  const row = { modelo, codigo, motivo, em: now, desfecho: isGivenUp ? 'desistiu' : 'aguardando' } as const
  await db
    .insertInto('falhaEmail')
    .values({ idMensagem, ...row })
    .onConflict((conflict) => conflict.column('idMensagem').doUpdateSet(row))
    .execute()
  if (isGivenUp || isPermanent(failure)) await markUndelivered(db, para, failure, now)
}

/** Records that a message waited too long and is not retried. */
export const recordGivenUp = async (
  db: Db,
  { para, idMensagem, now }: { para: string; idMensagem: number; now: Date },
): Promise<void> => {
  const failure = await db
    .updateTable('falhaEmail')
    .set({ desfecho: 'desistiu', em: now })
    .where('idMensagem', '=', idMensagem)
    .returning(['codigo', 'motivo'])
    .executeTakeFirst()
  if (failure) await markUndelivered(db, para, failure, now)
}

/** Records that a message that had failed is not sent any more, which says nothing of its address. */
export const recordDropped = async (
  db: Db,
  { idMensagem }: { idMensagem: number },
  now: Date,
): Promise<void> => {
  await db
    .updateTable('falhaEmail')
    .set({ desfecho: 'desistiu', em: now })
    .where('idMensagem', '=', idMensagem)
    .execute()
}

const markUndelivered = async (
  db: Db,
  para: string,
  { codigo, motivo }: MailFailure,
  now: Date,
): Promise<void> => {
  await sql`
    insert into email_nao_entregue (id_usuario, email, codigo, motivo, em)
    select id_usuario, lower(email_usuario), ${codigo}, ${motivo}, ${now}::timestamptz
    from usuario where lower(email_usuario) = lower(${para})
    on conflict (id_usuario) do update set
      email = excluded.email, codigo = excluded.codigo, motivo = excluded.motivo, em = excluded.em`.execute(
    db,
  )
}

/** Deletes failures that the status page no longer shows. */
export const dropMailFailures = async (db: Db, now: Date): Promise<void> => {
  await db
    .deleteFrom('falhaEmail')
    .where('em', '<', new Date(now.getTime() - failuresKept))
    .execute()
}
