import { BlockList, isIP } from 'node:net'

/** Networks that are not the public Internet, by the registries of IANA for special purposes. */
const special: [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  // An address of version 4 inside, which may be a private one.
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
]

// One list per version: a list with `::ffff:0:0/96` also matches every address of version 4.
const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
const typeOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
for (const [network, bits] of special) lists[typeOf(network)].addSubnet(network, bits, typeOf(network))

/** Returns whether an IP address is one of this machine, of a private network, or not an address. */
export const isPrivateAddress = (address: string): boolean =>
  isIP(address) === 0 || lists[typeOf(address)].check(address, typeOf(address))
