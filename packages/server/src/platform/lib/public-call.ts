import { lookup } from 'node:dns'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import { bareHost, type OutboundRoutes, openTunnel, proxyFor } from './outbound.ts'
import { isPrivateAddress } from './private-addresses.ts'

/** The host of an address is one of this machine or of a private network. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

export interface PublicCallLimits {
  routes: OutboundRoutes
  /** Lower-case host names, or addresses, that may be in a private network. */
  privateHosts: readonly string[]
}

interface Sent {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/** Whether an address is refused without resolving its host's name. */
export const isPlainlyPrivate = (address: string, privateHosts: readonly string[]): boolean => {
  const host = bareHost(new URL(address).hostname)
  if (privateHosts.includes(host)) return false
  return isIP(host) ? isPrivateAddress(host) : /^(.+\.)?localhost\.?$/.test(host)
}

/**
 * Calls an https:// address that a person typed, without following redirects. Its host must be in
 * the public Internet or in `privateHosts`; the checked address is the one that is called.
 * @throws PrivateAddress
 */
export const callPublic = async (
  url: URL,
  { routes, privateHosts }: PublicCallLimits,
  { method = 'GET', headers, body }: Sent,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  const host = bareHost(url.hostname)
  const port = Number(url.port || 443)
  const isExempt = privateHosts.includes(host.toLowerCase())
  if (!isExempt && isIP(host) && isPrivateAddress(host)) throw new PrivateAddress()
  const proxy = proxyFor(routes, { host, port })
  // The proxy resolves the name, but a name that this machine resolves to a private address is refused.
  if (proxy && !isExempt) await assertNotKnownPrivate(host)
  const tunnel = proxy ? await openTunnel(proxy, { host, port }, signal) : undefined
  const servername = isIP(host) ? '' : host
  const connection = tunnel
    ? { socket: tunnel, host, servername }
    : { host, port, servername, lookup: isExempt ? lookup : publicLookup }
  const request = https.request(url, {
    method,
    signal,
    // No agent: a kept connection would not be checked again.
    createConnection: () => tls.connect({ ...connection, ALPNProtocols: ['http/1.1'] }),
    headers: { ...headers, 'user-agent': 'BI-Manager' },
  })
  request.end(body)
  // An answer 101 emits 'upgrade' only: without a listener, the call would never end.
  const answers = [once(request, 'response'), once(request, 'upgrade')]
  const [response, upgraded] = (await Promise.race(answers)) as [IncomingMessage, Socket?]
  upgraded?.destroy()
  return response
}

/** Resolves a name, and fails when any of its addresses is private. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    if (addresses.length === 0 || addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(new PrivateAddress(), [])
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  })
}

const assertNotKnownPrivate = (host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => {
      const isKnown = !error && addresses.some(({ address }) => isPrivateAddress(address))
      if (isKnown) reject(new PrivateAddress())
      else resolve()
    })
  })
