import type { SecondFactorPolicy, UserType } from '@bi-manager/contract'
import type { Db } from '../../db/open-database.ts'
import type { Sealed } from '../../secrets.ts'

interface Person {
  idUsuario: number
  tipo: UserType
  temSenha: boolean
}

/** Whether the installation demands a second factor of this person. Without a password there is no sign-in to ask for it. */
export const isDemandedOf = async (db: Db, { tipo, temSenha }: Person): Promise<boolean> => {
  const { segundoFator } = await db
    .selectFrom('configuracao')
    .select('segundoFator')
    .executeTakeFirstOrThrow()
  const demanded: Record<SecondFactorPolicy, boolean> = {
    opcional: false,
    administradores: tipo === 'ADMIN',
    todos: true,
  }
  return temSenha && demanded[segundoFator]
}

/** The person's second factor, waiting for its first code or active. */
export const findFactor = (db: Db, idUsuario: number) =>
  db
    .selectFrom('segundoFator')
    .select(['segredo', 'ativoEm'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()

/** A new secret, in place of one that was never confirmed. @returns false when one is active */
export const putPendingFactor = async (tx: Db, idUsuario: number, segredo: Sealed): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('segundoFator')
    .values({ idUsuario, segredo, ativoEm: null })
    .onConflict((conflict) =>
      conflict
        .column('idUsuario')
        .doUpdateSet({ segredo, ultimoPasso: 0 })
        .where('segundoFator.ativoEm', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** The secret of a device that is to take the place of the active one; the one before it is forgotten. */
export const putNextFactor = async (
  tx: Db,
  next: { idUsuario: number; segredo: Sealed; criadoEm: Date },
): Promise<void> => {
  await tx
    .insertInto('segundoFatorNovo')
    .values(next)
    .onConflict((conflict) => conflict.column('idUsuario').doUpdateSet(next))
    .execute()
}

/** From the current device's code to the new one's. Whoever saw the secret is not to come back with it much later. */
const replacementMs = 10 * 60_000

/** The secret that waits to take the place of the active one. */
export const findNextFactor = async (db: Db, idUsuario: number, now: Date): Promise<Sealed | undefined> => {
  const row = await db
    .selectFrom('segundoFatorNovo')
    .select('segredo')
    .where('idUsuario', '=', idUsuario)
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
    .set({ segredo, ativoEm: now, ultimoPasso: step })
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
