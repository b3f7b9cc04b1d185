import { UserType } from '@bi-manager/contract'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isAddressAllowed } from '../../platform/lib/networks.ts'

/**
 * Returns the roles whose people may enter from the address.
 * @param address the caller's, as TRUST_PROXY lets the portal see it
 */
export const rolesAllowedFrom = async (
  db: Db,
  { signInNetworks }: Pick<Config, 'signInNetworks'>,
  address: string,
): Promise<ReadonlySet<UserType>> => {
  if (!signInNetworks) return new Set(UserType.options)
  const { redesAdmin, redesUsuario } = await db
    .selectFrom('configuracao')
    .select(['redesAdmin', 'redesUsuario'])
    .executeTakeFirstOrThrow()
  const networks: Record<UserType, string[]> = { ADMIN: redesAdmin, USER: redesUsuario }
  return new Set(UserType.options.filter((tipo) => isAddressAllowed(networks[tipo], address)))
}
