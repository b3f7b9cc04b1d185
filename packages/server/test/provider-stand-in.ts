import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  method: string
  path: string
  authorization: string | undefined
  contentType: string | undefined
  body: string
}

export interface ScriptedAnswer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** Milliseconds to wait before answering. */
  delay?: number
}

type Answers = Record<string, (request: SeenRequest) => ScriptedAnswer>

/**
 * Plays Microsoft's side of the protocol on a real socket: the answers of a healthy tenant, any of which a test may
 * replace, and a record of all that was asked. Nothing of the product's own report service is in it.
 */
export const startProvider = async () => {
  const seen: SeenRequest[] = []
  const overrides: Answers = {}
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const call: SeenRequest = {
      method: request.method ?? '',
      path,
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      body: Buffer.concat(chunks).toString(),
    }
    seen.push(call)
    const kind = kindOf(call)
    const {
      status = 200,
      body = {},
      headers = {},
      delay = 0,
    } = (overrides[kind] ?? healthy(origin())[kind] ?? gone)(call)
    await new Promise((resolve) => setTimeout(resolve, delay))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: origin(),
    seen,
    /** Replaces the answer of `token`, `report`, `dataset` or `generateToken`. */
    answer: (kind: string, make: (request: SeenRequest) => ScriptedAnswer) => {
      overrides[kind] = make
    },
    restore: () => {
      seen.length = 0
      for (const kind of Object.keys(overrides)) delete overrides[kind]
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export const datasetId = 'cfafbeb1-8037-4d0c-896e-a46fb27ff229'

/** As Microsoft answers when a call names what is not there. */
const gone = (): ScriptedAnswer => ({ status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } })

const kindOf = ({ path }: SeenRequest): string => {
  if (path.endsWith('/oauth2/v2.0/token')) return 'token'
  if (path.endsWith('/GenerateToken')) return 'generateToken'
  if (path.includes('/datasets/')) return 'dataset'
  return path.includes('/reports/') ? 'report' : 'unknown'
}

let issued = 0
const healthy = (origin: string): Answers => ({
  token: () => ({ body: { token_type: 'Bearer', expires_in: 3599, access_token: `entra-${++issued}` } }),
  report: ({ path }) => {
    const id = path.split('/').at(-1)
    return { body: { id, name: 'Relatório', embedUrl: `${origin}/reportEmbed?reportId=${id}`, datasetId } }
  },
  dataset: () => ({ body: { id: datasetId, isEffectiveIdentityRequired: false } }),
  generateToken: () => ({
    body: {
      token: `embed-${++issued}`,
      tokenId: crypto.randomUUID(),
      expiration: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }),
})
