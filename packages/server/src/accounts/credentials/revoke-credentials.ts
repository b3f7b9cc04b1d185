import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import { endAccessOf } from '../sessions/end-sessions.ts'
import { forgetDevices } from '../sessions/known-devices.ts'

/** Revokes the password, second factor, known devices, sessions and API keys of an account. */
export const revokeCredentials = async (tx: Db, idUsuario: number, now: Date) => {
  const senhaRetirada = await dropPassword(tx, idUsuario)
  return { senhaRetirada, ...(await revokeCredentialsExceptPassword(tx, idUsuario, now)) }
}

/** Revokes all but the password, for callers that replace it. */
export const revokeCredentialsExceptPassword = async (tx: Db, idUsuario: number, now: Date) => {
  const segundoFatorRetirado = await dropSecondFactor(tx, idUsuario)
  await forgetDevices(tx, idUsuario, undefined)
  return { segundoFatorRetirado, ...(await endAccessOf(tx, idUsuario, { now, kept: undefined })) }
}

/** @returns whether the account had a password */
const dropPassword = (tx: Db, idUsuario: number): Promise<boolean> =>
  hasChanged(
    tx
      .updateTable('usuario')
      .set({ senhaHash: null, trocarSenha: null })
      .where('idUsuario', '=', idUsuario)
      .where('senhaHash', 'is not', null),
  )

/**
 * Deletes the second factor, active or not, with its recovery codes. @returns whether there was one
 */
const dropSecondFactor = (tx: Db, idUsuario: number): Promise<boolean> =>
  hasChanged(tx.deleteFrom('segundoFator').where('idUsuario', '=', idUsuario))
