import type { Db } from '../db/open-database.ts'
import { endSessionsOf } from './end-sessions.ts'
import { forgetDevices } from './known-devices.ts'

/** Takes away the password, the second factor, the known devices and the sessions of an account. */
export const dropEntrance = async (tx: Db, idUsuario: number, now: Date) => {
  const senhaRetirada = await dropPassword(tx, idUsuario)
  return { senhaRetirada, ...(await dropEntranceBesidesPassword(tx, idUsuario, now)) }
}

/** As `dropEntrance`, where the password is replaced. */
export const dropEntranceBesidesPassword = async (tx: Db, idUsuario: number, now: Date) => {
  const segundoFatorRetirado = await dropSecondFactor(tx, idUsuario)
  await forgetDevices(tx, idUsuario, undefined)
  const sessoesEncerradas = await endSessionsOf(tx, idUsuario, { now, kept: undefined })
  return { segundoFatorRetirado, sessoesEncerradas }
}

/** @returns whether there was one */
const dropPassword = async (tx: Db, idUsuario: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('usuario')
    .set({ senhaHash: null, trocarSenha: null })
    .where('idUsuario', '=', idUsuario)
    .where('senhaHash', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Active or not; takes the recovery codes along. @returns whether there was one */
const dropSecondFactor = async (tx: Db, idUsuario: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('segundoFator')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
