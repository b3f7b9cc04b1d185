import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createTransport, type SendMailOptions, type SMTPTransportOptions } from 'nodemailer'
import type { Config } from '../config.ts'

/** Hands one message over: it resolves when the mail server, or the disk, has taken it. */
export type Deliver = (message: SendMailOptions, file: string, signal: AbortSignal) => Promise<void>

/** Over SMTP where a server is configured, else into the outbox folder. */
export const createDelivery = ({ smtpUrl, outbox }: Config['mail']): Deliver =>
  smtpUrl ? overSmtp(smtpUrl) : intoFolder(outbox)

/**
 * Neither password nor link travels in the clear, whatever somebody between makes of the server's greeting; the operator may
 * say otherwise in the address (`?requireTLS=false`).
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

const overSmtp = (url: string): Deliver => {
  const transport = createTransport(smtpOptions(url))
  return async (message, _file, signal) => {
    await transport.sendMail({ ...message, signal })
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** A message that is written again has the same name, and takes the place of the first. */
const intoFolder = (folder: string): Deliver => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async (message, file) => {
    const { message: content } = await transport.sendMail(message)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const unfinished = join(folder, `.${file}.part`)
    await writeFile(unfinished, content as Buffer, { mode: 0o600, flush: true })
    await rename(unfinished, join(folder, file)).catch(async (error: unknown) => {
      await rm(unfinished, { force: true })
      throw error
    })
  }
}
