import { sql } from 'kysely'
import { databaseNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import { isClaimed } from '../db/queries/claim-rows.ts'
import type { MailFailureKind } from '../db/tables/system-tables.ts'
import { isAnswer, isFinal, isOfWholeServer, type MailFailure, unknownKind } from './mail-failure.ts'
import { isWaiting } from './mail-queue.ts'

const day = 24 * 3_600_000
const failuresKept = 7 * day

/** Records that the mail server, or the folder, has accepted a message to this address. */
export const recordDelivery = async (
  db: Db,
  { para, idMensagem }: { para: string; idMensagem?: number },
): Promise<void> => {
  await recordAnswer(db)
  await db
    .insertInto('correio')
    .values({ entregueEm: databaseNow })
    .onConflict((conflict) => conflict.column('unico').doUpdateSet({ entregueEm: databaseNow }))
    .execute()
  await sql`delete from email_nao_entregue where email = lower(${para})`.execute(db)
  if (idMensagem === undefined) return
  await db
    .updateTable('falhaEmail')
    .set({ desfecho: 'entregue' })
    .where('idMensagem', '=', idMensagem)
    .execute()
}

/** What a connection and a sign-in show to work again. */
const ofConnection: readonly MailFailureKind[] = ['conexao', 'certificado', 'credencial']

/**
 * Records that the mail server answers again, and makes the messages due that waited for it.
 * @param ended kinds of failures that have ended; by default each
 */
const recordAnswer = async (db: Db, ended?: readonly MailFailureKind[]): Promise<void> => {
  const cleared = await db
    .updateTable('correio')
    .set({ falhandoDesde: null, codigo: null, motivo: null })
    .where('falhandoDesde', 'is not', null)
    .$if(ended !== undefined, (query) => query.where('motivo', 'in', [...(ended ?? [])]))
    .returning('unico')
    .executeTakeFirst()
  if (!cleared) return
  await db.updateTable('mensagem').set({ proximaEm: databaseNow }).where(isWaiting).execute()
}

/** Records that the mail server accepts connections; it may still refuse every message. */
export const recordConnection = (db: Db): Promise<void> => recordAnswer(db, ofConnection)

/** Makes the next waiting message due while the mail server is unavailable: their pauses are long. */
export const retryOneAfterOutage = async (db: Db): Promise<void> => {
  await db
    .updateTable('mensagem')
    .set({ proximaEm: databaseNow })
    .where(
      isClaimed(
        'idMensagem',
        db
          .selectFrom('mensagem')
          .select('idMensagem')
          .where(isWaiting)
          .where((eb) =>
            eb.exists(eb.selectFrom('correio').select('unico').where('falhandoDesde', 'is not', null)),
          )
          .orderBy('proximaEm')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      ),
    )
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
  if (isAnswer(failure)) await recordAnswer(db)
  if (!message) return
  const { idMensagem, modelo, isGivenUp } = message
  const row = { modelo, codigo, motivo, em: now, desfecho: isGivenUp ? 'desistiu' : 'aguardando' } as const
  await db
    .insertInto('falhaEmail')
    .values({ idMensagem, ...row })
    .onConflict((conflict) => conflict.column('idMensagem').doUpdateSet(row))
    .execute()
  if (isGivenUp || isFinal(failure)) await markUndelivered(db, para, failure, now)
}

/** Returns the code of a queued message's last failure; null without one. */
export const lastFailureOf = async (
  db: Db,
  { idMensagem }: { idMensagem: number },
): Promise<string | null> => {
  const failures = db.selectFrom('falhaEmail').select('codigo').where('idMensagem', '=', idMensagem)
  return (await failures.executeTakeFirst())?.codigo ?? null
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

/** Records that a message is not sent because no node knows its kind, which says nothing of its address. */
export const recordUnknownKind = async (
  db: Db,
  { idMensagem, modelo, now }: { idMensagem: number; modelo: string; now: Date },
): Promise<void> => {
  const row = { ...unknownKind, modelo, em: now, desfecho: 'desistiu' } as const
  await db
    .insertInto('falhaEmail')
    .values({ idMensagem, ...row })
    .onConflict((conflict) => conflict.column('idMensagem').doUpdateSet(row))
    .execute()
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
