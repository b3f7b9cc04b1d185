import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isCurrent } from '../../platform/db/queries/expiry.ts'
import { hasRow } from '../../platform/db/queries/outcomes.ts'
import type { Identity } from '../credentials/unproven-identities.ts'
import { nameColumns } from '../names/names-in-use.ts'

const account = [
  'usuario.idUsuario',
  'nomeUsuario',
  'emailUsuario',
  'tipoUsuario',
  'idResponsavel',
  'situacao',
  'emailPorProvar',
  isCurrent('usuario.venceEm').as('isCurrent'),
] as const

export const findAccountOfIdentity = (tx: Db, { emissor, sujeito }: Identity) =>
  tx
    .selectFrom('identidadeExterna')
    .innerJoin('usuario', 'usuario.idUsuario', 'identidadeExterna.idUsuario')
    .select(account)
    .select('semProva')
    .where('emissor', '=', emissor)
    .where('sujeito', '=', sujeito)
    .executeTakeFirst()

/** Records that the identity signed in with the account's own, confirmed e-mail. */
export const markIdentityProven = async (tx: Db, { emissor, sujeito }: Identity): Promise<void> => {
  await tx
    .updateTable('identidadeExterna')
    .set({ semProva: false })
    .where('emissor', '=', emissor)
    .where('sujeito', '=', sujeito)
    .execute()
}

/** Returns whether a still valid confirmation link was sent to the e-mail after `since`. */
export const hasConfirmationSince = (tx: Db, idUsuario: number, since: Date): Promise<boolean> =>
  hasRow(
    tx
      .selectFrom('linkConta')
      .select('marca')
      .where('idUsuario', '=', idUsuario)
      .where('tipo', '=', 'confirmacao')
      .where('criadoEm', '>', since),
  )

/**
 * Locks the row until the transaction ends, so that a concurrent link sees the result of the first.
 */
export const lockAccountOfEmail = (tx: Db, email: string) =>
  tx
    .selectFrom('usuario')
    .select(account)
    .where(sql<boolean>`lower(email_usuario) = lower(${email})`)
    .forUpdate()
    .executeTakeFirst()

export const lockAccount = (tx: Db, idUsuario: number) =>
  tx.selectFrom('usuario').select(account).where('idUsuario', '=', idUsuario).forUpdate().executeTakeFirst()

/**
 * Returns the identity of this issuer that is linked to the account; one linked without proof may
 * be replaced.
 */
export const findSubject = (tx: Db, idUsuario: number, emissor: string) =>
  tx
    .selectFrom('identidadeExterna')
    .select(['sujeito', 'semProva'])
    .where('idUsuario', '=', idUsuario)
    .where('emissor', '=', emissor)
    .orderBy('semProva')
    .executeTakeFirst()

export const insertIdentity = async (
  tx: Db,
  identity: Identity & { idUsuario: number; ligadaEm: Date; semProva: boolean },
): Promise<void> => {
  await tx.insertInto('identidadeExterna').values(identity).execute()
}

/** @returns undefined when the e-mail already has an account, also after a concurrent insert */
export const insertPendingPerson = (
  tx: Db,
  person: { nomeUsuario: string; emailUsuario: string; emailPorProvar: boolean },
) =>
  tx
    .insertInto('usuario')
    .values({ ...person, ...nameColumns(person.nomeUsuario), situacao: 'PENDENTE' })
    .onConflict((conflict) => conflict.doNothing())
    .returning(account)
    .executeTakeFirst()

/** Deletes and returns the account's linked identities. */
export const deleteIdentities = (tx: Db, idUsuario: number): Promise<Identity[]> =>
  tx
    .deleteFrom('identidadeExterna')
    .where('idUsuario', '=', idUsuario)
    .returning(['emissor', 'sujeito'])
    .execute()
