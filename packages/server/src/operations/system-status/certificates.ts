import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect, TLSSocket } from 'node:tls'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '../../platform/config/config.ts'
import { connectionFault } from '../../platform/lib/connection-fault.ts'
import {
  bareHost,
  type Destination,
  type OutboundRoutes,
  openTunnel,
  proxyFor,
} from '../../platform/lib/outbound.ts'
import { smtpOptions, smtpPlace } from '../../platform/mail/mail-delivery.ts'

interface CertificateTarget {
  /** The setting with the server's address. */
  setting: string
  name: string
  /** Host and port, without user and password. */
  address: string
  read: (signal: AbortSignal) => Promise<ReadCertificate>
}

export interface ReadCertificate {
  expiresAt: Date
  /** Why the portal refuses it (Node's code); null also for an address that it does not call. */
  fault: string | null
}

const unverified = { rejectUnauthorized: false } as const

/** Returns every server with TLS in the settings. */
export const certificateTargets = (config: Config): CertificateTarget[] => [
  // Browsers call the portal, and the report service unless it has no internal address.
  ...httpsTarget(config, 'PUBLIC_URL', 'Portal', config.publicUrl, false),
  ...httpsTarget(
    config,
    'REPORTS_URL',
    'Serviço de relatórios',
    config.bi.localEmbedOrigin,
    config.bi.localEmbedOrigin === config.bi.addresses.local.api,
  ),
  ...httpsTarget(config, 'OIDC_ISSUER', 'Provedor de identidade', config.oidc?.issuer, true),
  ...smtpTarget(config),
  ...databaseTarget(config.databaseUrl),
]

const httpsTarget = (
  { outbound }: Config,
  setting: string,
  name: string,
  url: string | null | undefined,
  isCalled: boolean,
): CertificateTarget[] => {
  if (!url?.startsWith('https:')) return []
  const { hostname, port, host } = new URL(url)
  const place = { host: bareHost(hostname), port: Number(port || 443) }
  const read = (signal: AbortSignal) => overTls(signal, { place, outbound, isCalled })
  return [{ setting, name, address: host, read }]
}

/** Returns the mail server if the settings require TLS: one on this machine may have none. */
const smtpTarget = ({ mail: { smtpUrl: url }, outbound }: Config): CertificateTarget[] => {
  if (!url) return []
  const { protocol, host, searchParams } = new URL(url)
  const isImplicit = protocol === 'smtps:'
  const isDemanded = smtpOptions(url).requireTLS ?? searchParams.get('requireTLS') === 'true'
  if (!isImplicit && !isDemanded) return []
  // The operator may accept any certificate in the address, as nodemailer understands it.
  const isCalled = searchParams.get('tls.rejectUnauthorized') !== 'false'
  const asked = { place: smtpPlace(url), outbound, isCalled }
  const read = (signal: AbortSignal) => (isImplicit ? overTls(signal, asked) : overStartTls(signal, asked))
  return [{ setting: 'SMTP_URL', name: 'Servidor de e-mail', address: host, read }]
}

/** Never through a proxy: neither are the portal's own connections to the database. */
const databaseTarget = (url: string | undefined): CertificateTarget[] => {
  if (!url) return []
  const { hostname, port, host, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  if (mode === 'disable' || !(mode || /^(true|1)$/.test(searchParams.get('ssl') ?? ''))) return []
  const place = { host: bareHost(hostname), port: Number(port || 5432) }
  const read = (signal: AbortSignal) => overPostgres(signal, place)
  return [{ setting: 'DATABASE_URL', name: 'Banco de dados', address: host, read }]
}

interface Asked {
  place: Destination
  outbound: OutboundRoutes
  /** Whether the portal itself calls this address, and so must trust its certificate. */
  isCalled: boolean
}

const overTls = async (signal: AbortSignal, { place, outbound, isCalled }: Asked): Promise<ReadCertificate> =>
  handshake(signal, place, isCalled, await tunnelTo(signal, place, outbound))

const tunnelTo = async (
  signal: AbortSignal,
  place: Destination,
  outbound: OutboundRoutes,
): Promise<Socket | undefined> => {
  const proxy = proxyFor(outbound, place)
  return proxy === undefined ? undefined : openTunnel(proxy, place, signal)
}

// Not verified: the connection only reads the certificate and sends no data.
const handshake = async (
  signal: AbortSignal,
  { host, port }: Destination,
  isCalled: boolean,
  socket?: Socket,
): Promise<ReadCertificate> => {
  const secure = connect({
    ...(socket ? { socket } : { host, port }),
    ...(isIP(host) ? {} : { servername: host }),
    ...unverified,
  })
  try {
    await once(secure, 'secureConnect', { signal })
    return certificateOf(secure, isCalled)
  } finally {
    secure.on('error', () => {}).destroy()
  }
}

const overStartTls = async (
  signal: AbortSignal,
  { place, outbound, isCalled }: Asked,
): Promise<ReadCertificate> => {
  const tunnel = await tunnelTo(signal, place, outbound)
  const opened = tunnel ? { connection: tunnel } : {}
  const connection = new SmtpConnection({ ...place, ...opened, requireTLS: true, tls: unverified })
  try {
    const connected = once(connection, 'connect', { signal })
    connection.connect()
    await connected
    const { _socket: socket } = connection
    if (!(socket instanceof TLSSocket)) throw new Error('the mail server has no TLS')
    return certificateOf(socket, isCalled)
  } finally {
    connection.on('error', () => {})
    connection.close()
  }
}

/** SSLRequest of PostgreSQL's protocol (version 3, section 'Message Formats'): length and code. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

const overPostgres = async (signal: AbortSignal, place: Destination): Promise<ReadCertificate> => {
  const socket = connectPlain(place)
  try {
    await once(socket, 'connect', { signal })
    socket.write(SSL_REQUEST)
    const [answer] = (await once(socket, 'data', { signal })) as [Buffer]
    if (answer.toString() !== 'S') throw new Error('the database has no TLS')
    return await handshake(signal, place, false, socket)
  } finally {
    socket.on('error', () => {}).destroy()
  }
}

const certificateOf = (socket: TLSSocket, isCalled: boolean): ReadCertificate => {
  const { valid_to: validTo } = socket.getPeerCertificate()
  if (!validTo) throw new Error('the server showed no certificate')
  const fault = isCalled ? connectionFault({ code: socket.authorizationError }) : undefined
  return { expiresAt: new Date(validTo), fault: fault ?? null }
}
