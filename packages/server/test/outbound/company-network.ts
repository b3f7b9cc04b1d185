import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The company's certificate authority, as NODE_EXTRA_CA_CERTS names it. */
export const authorityFile = fileURLToPath(new URL('authority.pem', import.meta.url))

/** A certificate of the company's authority for `*.empresa.example`, localhost and 127.0.0.1. */
export const companyTls = { key: file('key.pem'), cert: file('cert.pem') }
export const expiredTls = { ...companyTls, cert: file('expired.pem') }
export const selfSignedTls = { ...companyTls, cert: file('self-signed.pem') }

interface NetworkOptions {
  /** User and password that the proxy requires. */
  credentials?: { user: string; password: string }
}

/**
 * Starts the network of a company: a real HTTP CONNECT proxy, the only way to its hosts, whose
 * names no DNS server knows. Each name resolves to this machine.
 */
export const startCompanyNetwork = async ({ credentials }: NetworkOptions = {}) => {
  /** The destinations of the tunnels, in order: `entra.empresa.example:4711`. */
  const tunnels: string[] = []
  const statuses: number[] = []
  const localPorts = new Map<number, number>()
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const expected =
    credentials && `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`

  const listen = async (server: Server): Promise<number> => {
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    return (server.address() as AddressInfo).port
  }
  const join = (one: Socket, other: Socket) => {
    one.on('error', () => other.destroy())
    other.on('error', () => one.destroy())
    one.pipe(other).pipe(one)
  }

  const proxy = createServer((_request, response) => response.writeHead(405).end())
  proxy.on('connect', (request, socket: Socket, head: Buffer) => {
    socket.on('error', () => {})
    const isAllowed = !expected || request.headers['proxy-authorization'] === expected
    statuses.push(isAllowed ? 200 : 407)
    if (!isAllowed) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    tunnels.push(request.url ?? '')
    const port = Number(request.url?.split(':').at(-1))
    const server = connect(localPorts.get(port) ?? port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      join(socket, server)
    })
    server.on('error', () => socket.destroy())
  })
  const proxyPort = await listen(proxy)
  const login = credentials ? `${credentials.user}:${encodeURIComponent(credentials.password)}@` : ''

  return {
    /** The address with its credentials. */
    proxyUrl: `http://${login}127.0.0.1:${proxyPort}`,
    proxyPort,
    tunnels,
    statuses,
    /** Ports of the network's hosts whose servers have another port on this machine. */
    localPorts,
    /** Puts TLS in front of a plain server on this machine. @returns the port */
    withTls: async (plainUrl: string, identity: tls.TlsOptions = companyTls): Promise<number> => {
      const port = Number(new URL(plainUrl).port)
      return listen(tls.createServer(identity, (socket) => join(socket, connect(port, '127.0.0.1'))))
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

export type CompanyNetwork = Awaited<ReturnType<typeof startCompanyNetwork>>

/**
 * Trusts the company's authority in this process, which has already started: a new one reads
 * NODE_EXTRA_CA_CERTS instead.
 * @returns a function that ends the trust
 */
export const trustAuthority = (): (() => void) => {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, file('authority.pem')])
  return () => tls.setDefaultCACertificates(before)
}
