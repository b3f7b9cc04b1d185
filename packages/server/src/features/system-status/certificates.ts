import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect, TLSSocket } from 'node:tls'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '../../config/config.ts'
import { smtpOptions } from '../../mail/mail-delivery.ts'

export interface CertificateTarget {
  /** The setting with the server's address. */
  setting: string
  name: string
  /** Host and port, without user and password. */
  address: string
  read: (signal: AbortSignal) => Promise<Date>
}

const unverified = { rejectUnauthorized: false } as const

/** Returns every server with TLS in the settings. */
export const certificateTargets = (config: Config): CertificateTarget[] => [
  ...httpsTarget('PUBLIC_URL', 'Portal', config.publicUrl),
  ...httpsTarget('REPORTS_URL', 'Serviço de relatórios', config.bi.localEmbedOrigin),
  ...httpsTarget('OIDC_ISSUER', 'Provedor de identidade', config.oidc?.issuer),
  ...smtpTarget(config.mail.smtpUrl),
  ...databaseTarget(config.databaseUrl),
]

const httpsTarget = (setting: string, name: string, url: string | null | undefined): CertificateTarget[] => {
  if (!url?.startsWith('https:')) return []
  const { hostname, port, host } = new URL(url)
  const place = { host: bare(hostname), port: Number(port || 443) }
  return [{ setting, name, address: host, read: (signal) => overTls(signal, place) }]
}

/** Only for required TLS: a server on this machine may have none. */
const smtpTarget = (url: string | undefined): CertificateTarget[] => {
  if (!url) return []
  const { protocol, hostname, port, host, searchParams } = new URL(url)
  const isImplicit = protocol === 'smtps:'
  const isDemanded = smtpOptions(url).requireTLS ?? searchParams.get('requireTLS') === 'true'
  if (!isImplicit && !isDemanded) return []
  const place = { host: bare(hostname), port: Number(port || (isImplicit ? 465 : 587)) }
  const read = (signal: AbortSignal) => (isImplicit ? overTls(signal, place) : overStartTls(signal, place))
  return [{ setting: 'SMTP_URL', name: 'Servidor de e-mail', address: host, read }]
}

const databaseTarget = (url: string | undefined): CertificateTarget[] => {
  if (!url) return []
  const { hostname, port, host, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  if (mode === 'disable' || !(mode || /^(true|1)$/.test(searchParams.get('ssl') ?? ''))) return []
  const place = { host: bare(hostname), port: Number(port || 5432) }
  const read = (signal: AbortSignal) => overPostgres(signal, place)
  return [{ setting: 'DATABASE_URL', name: 'Banco de dados', address: host, read }]
}

/** Removes the brackets of an IPv6 address. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

interface Place {
  host: string
  port: number
}

// Not verified: the connection only reads the certificate and sends no data.
const overTls = async (signal: AbortSignal, { host, port }: Place, socket?: Socket): Promise<Date> => {
  const secure = connect({
    ...(socket ? { socket } : { host, port }),
    ...(isIP(host) ? {} : { servername: host }),
    ...unverified,
  })
  try {
    await once(secure, 'secureConnect', { signal })
    return expiryOf(secure)
  } finally {
    secure.on('error', () => {}).destroy()
  }
}

const overStartTls = async (signal: AbortSignal, place: Place): Promise<Date> => {
  const connection = new SmtpConnection({ ...place, requireTLS: true, tls: unverified })
  try {
    const connected = once(connection, 'connect', { signal })
    connection.connect()
    await connected
    const { _socket: socket } = connection
    if (!(socket instanceof TLSSocket)) throw new Error('the mail server has no TLS')
    return expiryOf(socket)
  } finally {
    connection.on('error', () => {})
    connection.close()
  }
}

/** SSLRequest of PostgreSQL's protocol (version 3, section 'Message Formats'): length and code. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

const overPostgres = async (signal: AbortSignal, place: Place): Promise<Date> => {
  const socket = connectPlain(place)
  try {
    await once(socket, 'connect', { signal })
    socket.write(SSL_REQUEST)
    const [answer] = (await once(socket, 'data', { signal })) as [Buffer]
    if (answer.toString() !== 'S') throw new Error('the database has no TLS')
    return await overTls(signal, place, socket)
  } finally {
    socket.on('error', () => {}).destroy()
  }
}

const expiryOf = (socket: TLSSocket): Date => {
  const { valid_to: validTo } = socket.getPeerCertificate()
  if (!validTo) throw new Error('the server showed no certificate')
  return new Date(validTo)
}
