import { sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'

/** Who somebody is at the identity provider. */
interface Identity {
  emissor: string
  sujeito: string
}

const account = [
  'usuario.idUsuario',
  'nomeUsuario',
  'emailUsuario',
  'tipoUsuario',
  'idResponsavel',
  'situacao',
  'emailPorProvar',
] as const

export const findAccountOfIdentity = (tx: Db, { emissor, sujeito }: Identity) =>
  tx
    .selectFrom('identidadeExterna')
    .innerJoin('usuario', 'usuario.idUsuario', 'identidadeExterna.idUsuario')
    .select(account)
    .where('emissor', '=', emissor)
    .where('sujeito', '=', sujeito)
    .executeTakeFirst()

/** Held until the transaction ends: of two who would link the account at once, the second sees what the first did. */
export const lockAccountOfEmail = (tx: Db, email: string) =>
  tx
    .selectFrom('usuario')
    .select(account)
    .where(sql<boolean>`lower(email_usuario) = lower(${email})`)
    .forUpdate()
    .executeTakeFirst()

export const lockAccount = (tx: Db, idUsuario: number) =>
  tx.selectFrom('usuario').select(account).where('idUsuario', '=', idUsuario).forUpdate().executeTakeFirst()

/** Whom this provider knows the account's person as. */
export const findSubject = async (
  tx: Db,
  idUsuario: number,
  emissor: string,
): Promise<string | undefined> => {
  const row = await tx
    .selectFrom('identidadeExterna')
    .select('sujeito')
    .where('idUsuario', '=', idUsuario)
    .where('emissor', '=', emissor)
    .executeTakeFirst()
  return row?.sujeito
}

export const insertIdentity = async (
  tx: Db,
  identity: Identity & { idUsuario: number; ligadaEm: Date },
): Promise<void> => {
  await tx.insertInto('identidadeExterna').values(identity).execute()
}

/** @returns undefined when the e-mail has an account already, also when both came at once */
export const insertPendingPerson = (tx: Db, person: { nomeUsuario: string; emailUsuario: string }) =>
  tx
    .insertInto('usuario')
    .values({ ...person, situacao: 'PENDENTE' })
    .onConflict((conflict) => conflict.doNothing())
    .returning(account)
    .executeTakeFirst()

/** The person's identities, which they are no longer known by. */
export const deleteIdentities = (tx: Db, idUsuario: number): Promise<Identity[]> =>
  tx
    .deleteFrom('identidadeExterna')
    .where('idUsuario', '=', idUsuario)
    .returning(['emissor', 'sujeito'])
    .execute()

/** @returns whether there was one */
export const dropPassword = async (tx: Db, idUsuario: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('usuario')
    .set({ senhaHash: null, trocarSenha: false })
    .where('idUsuario', '=', idUsuario)
    .where('senhaHash', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Active or not; takes the recovery codes along. @returns whether there was one */
export const dropSecondFactor = async (tx: Db, idUsuario: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('segundoFator')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const markEmailProven = async (tx: Db, idUsuario: number): Promise<void> => {
  await tx
    .updateTable('usuario')
    .set({ emailPorProvar: false })
    .where('idUsuario', '=', idUsuario)
    .where('emailPorProvar', '=', true)
    .execute()
}
