import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Endpoint } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { formOf, multipartOf } from '../multipart.ts'
import type { TestApp } from '../test-app.ts'
import type { GoodCall } from './good-call.ts'

/** A call as sent over the wire. */
interface WireCall {
  method: string
  /** Relative to /api. */
  path: string
  type: string
  bytes: Buffer
  more?: Record<string, string>
}

/** Returns a call's wire form; without a body it sends `{}`, so that there is a body to delay. */
export const wireCallOf = async (
  { method, url, file: fileField }: Endpoint,
  { params = {}, query = '', body, file, headers: more = {} }: Omit<GoodCall, 'status'>,
): Promise<WireCall> => {
  const path = url.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? 1)) + (query && `?${query}`)
  if (fileField !== undefined) {
    const form = formOf(body as Record<string, string>, file && { bytes: file, name: 'a.png' })
    return { method, path, ...(await multipartOf(form)) }
  }
  return { method, path, type: 'application/json', bytes: Buffer.from(JSON.stringify(body ?? {})), more }
}

interface Sender {
  server: FastifyInstance
  token: string
}
interface Answer {
  status: number | undefined
  codigo: string | undefined
}

/** Sends a call over a real socket; `beforeEnd` runs between the two halves of its body. */
export const sendInHalves = async (
  { server, token }: Sender,
  { method, path, type, bytes, more = {} }: WireCall,
  beforeEnd: () => Promise<unknown> = async () => {},
): Promise<Answer> => {
  const { port } = server.server.address() as AddressInfo
  const headers = {
    ...more,
    authorization: `Bearer ${token}`,
    'content-type': type,
    'content-length': bytes.length,
  }
  const sent = request({ port, host: '127.0.0.1', method, path: `/api${path}`, headers, agent: false })
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      const isProblem = response.headers['content-type']?.startsWith('application/problem+json')
      resolve({ status: response.statusCode, codigo: isProblem ? JSON.parse(text).codigo : undefined })
    })
  })
  sent.write(bytes.subarray(0, bytes.length / 2))
  await beforeEnd()
  sent.end(bytes.subarray(bytes.length / 2))
  return answered
}

const UNUSED_MS = 10 * 60_000

/** A session, or an API key. */
interface Credential {
  idSessao: string
  idChave?: number | undefined
}

/** Dates the credential's last use back, so that the guard records the next use. */
export const markUnused = async ({ db }: TestApp, { idSessao, idChave }: Credential): Promise<void> => {
  const ultimoUso = new Date(Date.now() - UNUSED_MS)
  await (idChave === undefined
    ? db.updateTable('sessao').set({ ultimoUso }).where('idSessao', '=', idSessao).execute()
    : db.updateTable('chaveApi').set({ usadaEm: ultimoUso }).where('idChave', '=', idChave).execute())
}

/** Resolves when the guard has accepted a call with the credential. */
export const untilAuthorised = async ({ db }: TestApp, { idSessao, idChave }: Credential): Promise<void> => {
  for (;;) {
    const { used } = await (idChave === undefined
      ? db.selectFrom('sessao').select('ultimoUso as used').where('idSessao', '=', idSessao)
      : db.selectFrom('chaveApi').select('usadaEm as used').where('idChave', '=', idChave)
    ).executeTakeFirstOrThrow()
    if (Date.now() - (used?.getTime() ?? 0) < UNUSED_MS / 2) return
    await setTimeout(5)
  }
}
