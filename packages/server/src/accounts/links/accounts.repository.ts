import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { nameColumns } from '../names/names-in-use.ts'

interface AccountRequest {
  nomeUsuario: string
  emailUsuario: string
  senhaHash: string
  now: Date
}

/**
 * @returns the new account's id; undefined when the e-mail already has an account, also after a
 * concurrent insert
 */
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

/**
 * Milliseconds. A pending request sends at most one confirmation in this time, however often it is
 * repeated.
 */
const repeatedEvery = 5 * 60_000

/**
 * Replaces the name and password of a pending request with an unproven e-mail: the newest request
 * counts, as does its link. Applies to requests through a provider too; the caller unlinks their
 * identities.
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

/**
 * Deletes a request that the e-mail's owner did not make; undefined when it was decided already.
 */
export const deletePendingAccount = (tx: Db, idUsuario: number) =>
  tx
    .deleteFrom('usuario')
    .where('idUsuario', '=', idUsuario)
    .where('situacao', '=', 'PENDENTE')
    .returning(['nomeUsuario', 'emailUsuario'])
    .executeTakeFirst()

const warnedEvery = 3_600_000

/**
 * Returns the owner to warn that their e-mail was used in a sign-up, at most once an hour;
 * undefined otherwise. Pending and blocked accounts get no warning: it would be of no use to them.
 */
export const claimOwnerWarning = (tx: Db, email: string, now: Date) =>
  tx
    .updateTable('usuario')
    .set({ pedidaEm: now })
    .where(hasEmail(email))
    .where(isActiveAccount())
    .where((eb) =>
      eb.or([eb('pedidaEm', 'is', null), eb('pedidaEm', '<=', new Date(now.getTime() - warnedEvery))]),
    )
    .returning(['idUsuario', 'nomeUsuario', 'emailUsuario'])
    .executeTakeFirst()

/**
 * Locks the e-mail until the transaction ends, whether or not it has an account: in a burst,
 * waiting for a user's row lock would reveal which e-mails have one.
 */
export const lockEmail = async (tx: Db, email: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(lower(${email}), 0))`.execute(tx)
}

/**
 * Locks an account that may be recovered; of two concurrent requests, the later one's link is
 * valid. Includes unproven requests: the mailbox's owner replaces a stranger's password.
 */
export const lockRecoverableAccount = (tx: Db, email: string) =>
  tx
    .selectFrom('usuario')
    .select(['idUsuario', 'nomeUsuario', 'emailUsuario'])
    .where(hasEmail(email))
    .where((eb) =>
      eb.or([isActiveAccount(), eb.and([eb('situacao', '=', 'PENDENTE'), eb('emailPorProvar', '=', true)])]),
    )
    .forUpdate()
    .executeTakeFirst()

const hasEmail = (email: string) => sql<boolean>`lower(email_usuario) = lower(${email})`
