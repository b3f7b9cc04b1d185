import { isIPv6 } from 'node:net'
import { plainAddress } from '@bi-manager/telemetry/client-addresses'

/**
 * Returns the network of one subscriber: the IPv4 address, or the /64 of an IPv6 address, in which
 * a subscriber has 2^64 addresses. Providers give homes a /56 and companies a /48.
 */
export const networkOf = (text: string, bits: 48 | 56 | 64 = 64): string => {
  const address = plainAddress(text)
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, bits === 48 ? 3 : 4)
  if (bits === 56) groups[3] = (Number.parseInt(groups[3] ?? '0', 16) & 0xff00).toString(16)
  return groups.join(':')
}
