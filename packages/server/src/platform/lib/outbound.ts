import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import { urlToHttpOptions } from 'node:url'

/** How outbound connections leave. The addresses of proxies may contain a password. */
export interface OutboundRoutes {
  /** The proxy for https:// addresses and raw TLS; undefined: no proxy at all. */
  httpsProxy: string | undefined
  /** The proxy for http:// addresses; undefined: they are called directly. */
  httpProxy: string | undefined
  /** Lower-case hosts that are called directly, with their subdomains; each may have a port. */
  direct: string[]
}

export interface Destination {
  host: string
  port: number
}

/**
 * Routes each `fetch` of this process, and each request of a global HTTP agent, through the proxy.
 * An explicit agent is not affected.
 * @returns a function that restores the direct connections
 */
export const routeThroughProxy = ({ httpsProxy, httpProxy, direct }: OutboundRoutes): (() => void) =>
  http.setGlobalProxyFromEnv({
    ...(httpsProxy ? { HTTPS_PROXY: httpsProxy } : {}),
    ...(httpProxy ? { HTTP_PROXY: httpProxy } : {}),
    NO_PROXY: direct.join(','),
  })

/** Returns the proxy for a connection that is not HTTP; undefined for a direct one. */
export const proxyFor = (
  { httpsProxy, direct }: OutboundRoutes,
  { host, port }: Destination,
): string | undefined => {
  const name = authorityOf(host).toLowerCase()
  const isDirect = direct.some((entry) => {
    const [, entryName = '', entryPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
    return (
      (!entryPort || Number(entryPort) === port) && (name === entryName || name.endsWith(`.${entryName}`))
    )
  })
  return isDirect ? undefined : httpsProxy
}

/** Removes the brackets of an IPv6 address in a URL. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const authorityOf = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/**
 * Opens a connection to the destination through an HTTP proxy (RFC 9110, section 9.3.6).
 * @throws Error whose message the function `connectionFault` knows, when the proxy refuses
 */
export const openTunnel = async (
  proxy: string,
  { host, port }: Destination,
  signal: AbortSignal,
): Promise<Socket> => {
  const { auth, protocol, hostname, port: proxyPort } = urlToHttpOptions(new URL(proxy))
  const authority = `${authorityOf(host)}:${port}`
  const credentials = auth && `Basic ${Buffer.from(auth).toString('base64')}`
  const request = (protocol === 'https:' ? https : http).request({
    hostname,
    port: proxyPort,
    method: 'CONNECT',
    path: authority,
    agent: false,
    signal,
    headers: { host: authority, ...(credentials ? { 'proxy-authorization': credentials } : {}) },
  })
  request.end()
  const [{ statusCode }, socket, head] = (await once(request, 'connect')) as [
    http.IncomingMessage,
    Socket,
    Buffer,
  ]
  if (statusCode === 200) {
    // A mail server greets at once, so its first bytes may arrive with the proxy's answer.
    if (head.length > 0) socket.unshift(head)
    return socket
  }
  socket.on('error', () => {}).destroy()
  throw new Error(`Invalid response from proxy: ${statusCode}`)
}
