import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { SendMailOptions, SMTPTransportOptions } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { bareHost, type Destination, type OutboundRoutes, proxyFor } from '../lib/outbound.ts'

/** Delivers one message. Resolves when the mail server, or the disk, has accepted it. */
export type Deliver = (message: SendMailOptions, file: string, signal: AbortSignal) => Promise<void>

/** Delivers over SMTP when a server is configured, else into the outbox folder. */
export const createDelivery = ({ mail, outbound }: Pick<Config, 'mail' | 'outbound'>): Deliver =>
  mail.smtpUrl ? overSmtp(mail.smtpUrl, outbound) : intoFolder(mail.outbox)

/**
 * Requires TLS, so that neither password nor link is sent in clear, even if an attacker strips
 * STARTTLS from the greeting. The operator may turn it off in the address (`?requireTLS=false`).
 */
export const smtpOptions = (url: string): SMTPTransportOptions => {
  const { hostname, searchParams } = new URL(url)
  return {
    url,
    ...(isLoopback(hostname) || searchParams.has('requireTLS') ? {} : { requireTLS: true }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
  }
}

/** Returns the mail server's host, without brackets, and the port that nodemailer chooses. */
export const smtpPlace = (url: string): Destination => {
  const { protocol, hostname, port } = new URL(url)
  return { host: bareHost(hostname), port: Number(port || (protocol === 'smtps:' ? 465 : 587)) }
}

/** Loaded at the first message: a start without mail to send does not need it. */
const loadMailer = () => import('nodemailer')

const transportOf = async (url: string, outbound: OutboundRoutes) => {
  const proxy = proxyFor(outbound, smtpPlace(url))
  return (await loadMailer()).createTransport({ ...smtpOptions(url), ...(proxy ? { proxy } : {}) })
}

/** Connects and signs in, and sends nothing. @throws an error of `failureOf` */
export const verifyConnection = async ({
  mail,
  outbound,
}: Pick<Config, 'mail' | 'outbound'>): Promise<void> => {
  if (mail.smtpUrl) await (await transportOf(mail.smtpUrl, outbound)).verify()
}

const overSmtp = (url: string, outbound: OutboundRoutes): Deliver => {
  const load = once(() => transportOf(url, outbound))
  return async (message, _file, signal) => {
    await (await load()).sendMail({ ...message, signal })
  }
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** A repeated message has the same file name and replaces the first. */
const intoFolder = (folder: string): Deliver => {
  const options = { streamTransport: true, buffer: true, newline: 'windows' } as const
  const load = once(async () => (await loadMailer()).createTransport(options))
  return async (message, file) => {
    const { message: content } = await (await load()).sendMail(message)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const unfinished = join(folder, `.${file}.part`)
    await writeFile(unfinished, content as Buffer, { mode: 0o600, flush: true })
    await rename(unfinished, join(folder, file)).catch(async (error: unknown) => {
      await rm(unfinished, { force: true })
      throw error
    })
  }
}
