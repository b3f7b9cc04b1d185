import { BlockList, isIPv6 } from 'node:net'
import { plainAddress } from '@bi-manager/telemetry/client-addresses'
import { createBoundedCache } from './bounded-cache.ts'

const known = createBoundedCache<BlockList>(100)

/**
 * Returns whether the networks allow the address. An IPv4 address written as IPv6 counts as IPv4.
 * @param networks addresses and networks in CIDR notation. An empty list allows all addresses.
 */
export const isAddressAllowed = (networks: readonly string[], address: string): boolean => {
  if (networks.length === 0) return true
  const key = networks.join()
  const list = known.get(key) ?? listOf(networks)
  known.set(key, list)
  const plain = plainAddress(address)
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
