import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '../../../../scripts/machines/ports.ts'

/** Replaces the service's answer: a Power BI error, no answer, or a broken connection. */
export type Fault =
  | { status: number; code?: string; message?: string; headers?: Record<string, string> }
  | 'silence'
  | 'cut'

export type FaultyProvider = Awaited<ReturnType<typeof startFaultyProvider>>

/** Starts a proxy in front of the report service that fails on request; `settings` use it. */
export const startFaultyProvider = async () => {
  const servicePort = await freePort()
  const faults = new Map<RegExp, Fault>()
  const silenced = new Set<ServerResponse>()
  const seen: string[] = []
  const tokens = new Set<string>()
  const ended = new Set<string>()
  const server = createServer((incoming, outgoing) => {
    const call = `${incoming.method} ${incoming.url}`
    seen.push(call)
    const { authorization = '' } = incoming.headers
    if (authorization.startsWith('EmbedToken')) tokens.add(authorization)
    const fault = ended.has(authorization)
      ? tokenExpired
      : [...faults].find(([pattern]) => pattern.test(call))?.[1]
    if (fault === undefined) passOn(servicePort, incoming, outgoing)
    else if (fault === 'cut') incoming.socket.destroy()
    else if (fault === 'silence') silenced.add(outgoing)
    else refuse(outgoing, fault)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    settings: { REPORTS_URL: origin, REPORTS_PORT: String(servicePort) },
    /** Returns the number of calls so far, such as `POST /v1.0/myorg/GenerateToken`. */
    count: (pattern: RegExp) => seen.filter((call) => pattern.test(call)).length,
    /** Makes calls fail from now on whose method and address match. */
    fail: (pattern: RegExp, fault: Fault) => void faults.set(pattern, fault),
    /** Returns whether such a call is pending without an answer. */
    isWaiting: (pattern: RegExp) => [...silenced].some(({ req }) => pattern.test(`${req.method} ${req.url}`)),
    /** Makes the embed tokens used so far expire. */
    endTokens: () => {
      for (const token of tokens) ended.add(token)
    },
    /** Forwards everything again; closes pending calls, like a restart. */
    heal: () => {
      faults.clear()
      for (const outgoing of silenced) outgoing.destroy()
      silenced.clear()
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const tokenExpired: Fault = { status: 403, code: 'TokenExpired', message: 'Access token has expired' }

const passOn = (port: number, incoming: IncomingMessage, outgoing: ServerResponse) => {
  const { method, url, headers } = incoming
  const forwarded = request({ host: 'localhost', port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  forwarded.on('error', () => outgoing.destroy())
  outgoing.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

const refuse = (
  outgoing: ServerResponse,
  { status, code = 'Fault', message = '', headers = {} }: Exclude<Fault, string>,
) => {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(JSON.stringify({ error: { code, message } }))
}
