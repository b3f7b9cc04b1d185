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

/** A password that was asked for with somebody's e-mail, and that nobody has shown to be theirs. */
export const dropPassword = async (tx: Db, idUsuario: number): Promise<void> => {
  await tx.updateTable('usuario').set({ senhaHash: null }).where('idUsuario', '=', idUsuario).execute()
}
