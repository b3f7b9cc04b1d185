import { type Actor, demandsSecondFactor } from '@bi-manager/contract'
import type { Encrypted } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'

interface Person extends Pick<Actor, 'tipo' | 'acessoProntuario'> {
  temSenha: boolean
}

/**
 * Returns whether the settings require a second factor of this user; never of users without a
 * password.
 */
export const isDemandedOf = async (db: Db, { temSenha, ...person }: Person): Promise<boolean> => {
  const { segundoFator } = await db
    .selectFrom('configuracao')
    .select('segundoFator')
    .executeTakeFirstOrThrow()
  return temSenha && demandsSecondFactor(segundoFator, person)
}

/** Returns the user's second factor, pending or active. */
export const findFactor = (db: Db, idUsuario: number) =>
  db
    .selectFrom('segundoFator')
    .select(['segredo', 'ativoEm', 'idSessao'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()

interface Enrolment {
  idUsuario: number
  /**
   * The session that started the enrolment; only it can confirm, and ending it deletes the
   * enrolment.
   */
  idSessao: string
  segredo: Encrypted
}

/** Stores a pending secret, replacing an unconfirmed one. @returns false when a factor is active */
export const putPendingFactor = (tx: Db, { idUsuario, idSessao, segredo }: Enrolment): Promise<boolean> =>
  hasChanged(
    tx
      .insertInto('segundoFator')
      .values({ idUsuario, idSessao, segredo, ativoEm: null })
      .onConflict((conflict) =>
        conflict
          .column('idUsuario')
          .doUpdateSet({ idSessao, segredo, ultimoPasso: 0 })
          .where('segundoFator.ativoEm', 'is', null),
      ),
  )

/**
 * Stores the secret of a device that will replace the active one, instead of any earlier such
 * secret.
 */
export const putNextFactor = async (tx: Db, next: Enrolment & { criadoEm: Date }): Promise<void> => {
  await tx
    .insertInto('segundoFatorNovo')
    .values(next)
    .onConflict((conflict) => conflict.column('idUsuario').doUpdateSet(next))
    .execute()
}

/** Milliseconds to confirm a new device. Limits the use of a secret that a stranger saw. */
const replacementMs = 10 * 60_000

/** Returns the pending secret that this session may confirm as a replacement of the active one. */
export const findNextFactor = async (
  db: Db,
  { idUsuario, idSessao }: { idUsuario: number; idSessao: string },
  now: Date,
): Promise<Encrypted | undefined> => {
  const row = await db
    .selectFrom('segundoFatorNovo')
    .select('segredo')
    .where('idUsuario', '=', idUsuario)
    .where('idSessao', '=', idSessao)
    .where('criadoEm', '>', new Date(now.getTime() - replacementMs))
    .executeTakeFirst()
  return row?.segredo
}

/** @param step TOTP step of the confirming code, which is consumed */
export const activateFactor = async (
  tx: Db,
  idUsuario: number,
  { segredo, step, now }: { segredo: Encrypted; step: number; now: Date },
): Promise<void> => {
  await tx
    .updateTable('segundoFator')
    .set({ segredo, ativoEm: now, ultimoPasso: step, idSessao: null })
    .where('idUsuario', '=', idUsuario)
    .execute()
  await tx.deleteFrom('segundoFatorNovo').where('idUsuario', '=', idUsuario).execute()
}

/** Deletes the second factor and the recovery codes. @returns false when none was active */
export const deleteActiveFactor = (tx: Db, idUsuario: number): Promise<boolean> =>
  hasChanged(
    tx.deleteFrom('segundoFator').where('idUsuario', '=', idUsuario).where('ativoEm', 'is not', null),
  )
