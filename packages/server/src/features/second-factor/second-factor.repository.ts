import { type Actor, demandsSecondFactor } from '@bi-manager/contract'
import type { Db } from '../../db/open-database.ts'
import type { Sealed } from '../../secrets.ts'

interface Person extends Pick<Actor, 'tipo' | 'acessoProntuario'> {
  temSenha: boolean
}

/** Whether the installation demands a second factor of this person. Without a password there is no sign-in to ask for it. */
export const isDemandedOf = async (db: Db, { temSenha, ...person }: Person): Promise<boolean> => {
  const { segundoFator } = await db
    .selectFrom('configuracao')
    .select('segundoFator')
    .executeTakeFirstOrThrow()
  return temSenha && demandsSecondFactor(segundoFator, person)
}

/** The person's second factor, waiting for its first code or active. */
export const findFactor = (db: Db, idUsuario: number) =>
  db
    .selectFrom('segundoFator')
    .select(['segredo', 'ativoEm', 'idSessao'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()

interface Enrolment {
  idUsuario: number
  /** The session that began it: only it can confirm, and the enrolment ends with it. */
  idSessao: string
  segredo: Sealed
}

/** A new secret, in place of one that was never confirmed. @returns false when one is active */
export const putPendingFactor = async (
  tx: Db,
  { idUsuario, idSessao, segredo }: Enrolment,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('segundoFator')
    .values({ idUsuario, idSessao, segredo, ativoEm: null })
    .onConflict((conflict) =>
      conflict
        .column('idUsuario')
        .doUpdateSet({ idSessao, segredo, ultimoPasso: 0 })
        .where('segundoFator.ativoEm', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** The secret of a device that is to take the place of the active one; the one before it is forgotten. */
export const putNextFactor = async (tx: Db, next: Enrolment & { criadoEm: Date }): Promise<void> => {
  await tx
    .insertInto('segundoFatorNovo')
    .values(next)
    .onConflict((conflict) => conflict.column('idUsuario').doUpdateSet(next))
    .execute()
}

/** From the current device's code to the new one's. Whoever saw the secret is not to come back with it much later. */
const replacementMs = 10 * 60_000

/** The secret that waits, in this session, to take the place of the active one. */
export const findNextFactor = async (
  db: Db,
  { idUsuario, idSessao }: { idUsuario: number; idSessao: string },
  now: Date,
): Promise<Sealed | undefined> => {
  const row = await db
    .selectFrom('segundoFatorNovo')
    .select('segredo')
    .where('idUsuario', '=', idUsuario)
    .where('idSessao', '=', idSessao)
    .where('criadoEm', '>', new Date(now.getTime() - replacementMs))
    .executeTakeFirst()
  return row?.segredo
}

/** @param step of the code that it was confirmed with, which is used up */
export const activateFactor = async (
  tx: Db,
  idUsuario: number,
  { segredo, step, now }: { segredo: Sealed; step: number; now: Date },
): Promise<void> => {
  await tx
    .updateTable('segundoFator')
    .set({ segredo, ativoEm: now, ultimoPasso: step, idSessao: null })
    .where('idUsuario', '=', idUsuario)
    .execute()
  await tx.deleteFrom('segundoFatorNovo').where('idUsuario', '=', idUsuario).execute()
}

/** Takes the recovery codes along. @returns false when there was no active one */
export const deleteActiveFactor = async (tx: Db, idUsuario: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('segundoFator')
    .where('idUsuario', '=', idUsuario)
    .where('ativoEm', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
