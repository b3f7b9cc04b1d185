import type { IncomingMessage } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'

/**
 * Returns the one spelling of an address: without port, brackets and zone, IPv6 in its short form,
 * and an IPv4 address that is written as IPv6 as IPv4. Other texts stay as they are.
 */
export const plainAddress = (text: string): string => {
  const [, bracketed] = /^\[(.+)\](?::\d+)?$/.exec(text) ?? []
  const [, beforePort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
  const address = (bracketed ?? beforePort ?? text).replace(/%.*$/, '')
  if (!isIPv6(address)) return address
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high = '', low = ''] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? []
  if (!high) return short
  const pairs = [high, low].map((group) => Number.parseInt(group, 16))
  return pairs.flatMap((pair) => [pair >> 8, pair & 0xff]).join('.')
}

const forwarded = 'x-forwarded-for'

/**
 * Returns options of Fastify with which `request.ip` is a plain address, whatever a proxy writes.
 * Fastify offers no other place before it, or a library, reads the header.
 */
export const plainForwardedAddresses = (): Pick<FastifyServerOptions, 'rewriteUrl'> => ({
  rewriteUrl: (request) => {
    plainHeader(request as IncomingMessage)
    return request.url ?? '/'
  },
})

const plainHeader = ({ headers }: IncomingMessage): void => {
  const found = headers[forwarded]
  if (found === undefined) return
  const addresses = String(found).split(',')
  headers[forwarded] = addresses.map((address) => plainAddress(address.trim())).join(', ')
}

/**
 * Keeps the plain address of each connection from its opening on. A request may be answered after its
 * connection has closed; Node could not read the address then, and no network could be checked. A
 * connection without an address is closed at once.
 */
export const keepClientAddresses = ({ server }: Pick<FastifyInstance, 'server'>): void => {
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined) socket.destroy()
    else Object.defineProperty(socket, 'remoteAddress', { value: plainAddress(remoteAddress) })
  })
}
