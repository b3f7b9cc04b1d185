import { sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'
import { nameColumns } from '../../names/names-in-use.ts'

interface AccountRequest {
  nomeUsuario: string
  emailUsuario: string
  senhaHash: string
  now: Date
}

/** @returns the new account's id; undefined when the e-mail has an account already, also when both came at once */
export const insertPendingAccount = async (
  tx: Db,
  { now, ...person }: AccountRequest,
): Promise<number | undefined> => {
  const row = await tx
    .insertInto('usuario')
    .values({
      ...person,
      ...nameColumns(person.nomeUsuario),
      situacao: 'PENDENTE',
      pedidaEm: now,
      emailPorProvar: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('idUsuario')
    .executeTakeFirst()
  return row?.idUsuario
}

/** A request that waits sends one mail in this time, whoever repeats it. */
const repeatedEvery = 5 * 60_000

/**
 * Repeats a request whose e-mail is unproven: the newest name and password count, as its link does.
 * A provider's request takes them too; the caller unlinks the identity.
 */
export const renewRequest = (tx: Db, { emailUsuario, senhaHash, now, nomeUsuario }: AccountRequest) =>
  tx
    .updateTable('usuario')
    .set({ pedidaEm: now, ...nameColumns(nomeUsuario), senhaHash })
    .where(hasEmail(emailUsuario))
    .where('situacao', '=', 'PENDENTE')
    .where('emailPorProvar', '=', true)
    .where((eb) =>
      eb.or([eb('pedidaEm', 'is', null), eb('pedidaEm', '<=', new Date(now.getTime() - repeatedEvery))]),
    )
    .returning(['idUsuario', 'nomeUsuario', 'emailUsuario'])
    .executeTakeFirst()

/** The request of a person who never made it; undefined where it was decided already. */
export const deletePendingAccount = (tx: Db, idUsuario: number) =>
  tx
    .deleteFrom('usuario')
    .where('idUsuario', '=', idUsuario)
    .where('situacao', '=', 'PENDENTE')
    .returning(['nomeUsuario', 'emailUsuario'])
    .executeTakeFirst()

const warnedEvery = 3_600_000

/**
 * The person who is to be told that their e-mail was given for a new account, at most once an hour; nobody where it has just
 * become one. Who still waits, or is blocked, is told nothing that they could use.
 */
export const takeOwnerToWarn = (tx: Db, email: string, now: Date) =>
  tx
    .updateTable('usuario')
    .set({ pedidaEm: now })
    .where(hasEmail(email))
    .where('situacao', '=', 'ATIVO')
    .where((eb) =>
      eb.or([eb('pedidaEm', 'is', null), eb('pedidaEm', '<=', new Date(now.getTime() - warnedEvery))]),
    )
    .returning(['idUsuario', 'nomeUsuario', 'emailUsuario'])
    .executeTakeFirst()

/**
 * Held until the transaction ends. Requests with one e-mail wait for each other whether it has an account or not: in a burst, the
 * wait for a person's row would tell which has.
 */
export const lockEmail = async (tx: Db, email: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(lower(${email}), 0))`.execute(tx)
}

/**
 * Held until the transaction ends: of two who ask at once, the later one's link is the good one.
 * An unproven request counts: the owner of the mailbox replaces a stranger's password.
 */
export const lockRecoverableAccount = (tx: Db, email: string) =>
  tx
    .selectFrom('usuario')
    .select(['idUsuario', 'nomeUsuario', 'emailUsuario'])
    .where(hasEmail(email))
    .where((eb) =>
      eb.or([
        eb('situacao', '=', 'ATIVO'),
        eb.and([eb('situacao', '=', 'PENDENTE'), eb('emailPorProvar', '=', true)]),
      ]),
    )
    .forUpdate()
    .executeTakeFirst()

const hasEmail = (email: string) => sql<boolean>`lower(email_usuario) = lower(${email})`
