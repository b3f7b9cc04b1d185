import type { UserType } from '@bi-manager/contract'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open-database.ts'
import { isInNetworks } from '../lib/networks.ts'
import { Problem } from '../lib/problem.ts'

/** The networks of each role; an empty list stands for any. */
export interface SignInNetworks {
  redesAdmin: string[]
  redesUsuario: string[]
}

type Applied = Pick<Config, 'signInNetworks'>

export const readNetworks = (db: Db): Promise<SignInNetworks> =>
  db.selectFrom('configuracao').select(['redesAdmin', 'redesUsuario']).executeTakeFirstOrThrow()

/** Returns whether people of this role may use the portal from this address. */
export const isRoleAllowed = (
  { redesAdmin, redesUsuario }: SignInNetworks,
  tipo: UserType,
  address: string,
): boolean => isAddressAllowed(tipo === 'ADMIN' ? redesAdmin : redesUsuario, address)

/** Returns whether the networks, empty for any, have this address. */
export const isAddressAllowed = (networks: readonly string[], address: string): boolean =>
  networks.length === 0 || isInNetworks(networks, address)

/**
 * @param address the caller's, as TRUST_PROXY lets the portal see it
 * @throws Problem 403 `rede_nao_permitida`
 */
export const assertRoleAllowed = async (
  db: Db,
  { signInNetworks }: Applied,
  { tipo, address }: { tipo: UserType; address: string },
): Promise<void> => {
  if (!signInNetworks) return
  if (!isRoleAllowed(await readNetworks(db), tipo, address)) throw new Problem('rede_nao_permitida')
}

/**
 * Refuses an address from which nobody may enter, before a name or password is looked at.
 * @throws Problem 403 `rede_nao_permitida`
 */
export const assertAnyRoleAllowed = async (
  db: Db,
  { signInNetworks }: Applied,
  address: string,
): Promise<void> => {
  if (!signInNetworks) return
  const networks = await readNetworks(db)
  if (isRoleAllowed(networks, 'ADMIN', address) || isRoleAllowed(networks, 'USER', address)) return
  throw new Problem('rede_nao_permitida')
}
