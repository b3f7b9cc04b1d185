import { sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'
import { nameColumns } from '../../names/names-in-use.ts'

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
    .select('semProva')
    .where('emissor', '=', emissor)
    .where('sujeito', '=', sujeito)
    .executeTakeFirst()

/** The identity signed in with a confirmed e-mail, the account's own. */
export const markIdentityProven = async (tx: Db, { emissor, sujeito }: Identity): Promise<void> => {
  await tx
    .updateTable('identidadeExterna')
    .set({ semProva: false })
    .where('emissor', '=', emissor)
    .where('sujeito', '=', sujeito)
    .execute()
}

/** Whether the mailbox got a link to confirm the e-mail since then, which is still good. */
export const hasConfirmationSince = async (tx: Db, idUsuario: number, since: Date): Promise<boolean> => {
  const row = await tx
    .selectFrom('linkConta')
    .select('marca')
    .where('idUsuario', '=', idUsuario)
    .where('tipo', '=', 'confirmacao')
    .where('criadoEm', '>', since)
    .executeTakeFirst()
  return row !== undefined
}

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

/** Whom this provider knows the account's person as; without proof, any other identity may take its place. */
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

/** @returns undefined when the e-mail has an account already, also when both came at once */
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

/** The person's identities, which they are no longer known by. */
export const deleteIdentities = (tx: Db, idUsuario: number): Promise<Identity[]> =>
  tx
    .deleteFrom('identidadeExterna')
    .where('idUsuario', '=', idUsuario)
    .returning(['emissor', 'sujeito'])
    .execute()
