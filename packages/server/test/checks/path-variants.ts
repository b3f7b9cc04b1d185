import { Agent, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { endpoints } from '../calls/endpoints.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

/*
 * Other spellings of an address must give no more access than the address itself. Uses raw sockets,
 * because URL parsers would normalise them.
 */

const foreign = 'atacante.exemplo'

let app: TestApp
let port: number
let userToken: string
let adminToken: string
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

export const startVariants = async (): Promise<number> => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.app.server.address() as AddressInfo).port
  userToken = (await app.as(await createUser(app))).token
  adminToken = (await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))).token
  return port
}
export const stopVariants = async (): Promise<void> => {
  agent.destroy()
  await app.close()
}

interface Call {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | undefined
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export const send = ({ method, path, headers = {}, body }: Call, to = port): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const address = { host: '127.0.0.1', port: to, agent }
    const request = sendRequest({ ...address, method, path, headers }, (response) => {
      const { statusCode: status = 0, headers } = response
      // The event stream never ends.
      if (headers['content-type']?.startsWith('text/event-stream')) {
        response.destroy()
        return resolve({ status, headers, body: '' })
      }
      text(response).then((body) => resolve({ status, headers, body }), reject)
    })
    request.on('error', reject)
    request.end(body)
  })

const samples: Record<string, string> = {
  idGrupo: '3f2a7d54-7a4b-4d0e-9d7e-0a9c3f5b6c11',
  idSessao: '3f2a7d54-7a4b-4d0e-9d7e-0a9c3f5b6c11',
  rota: 'analise',
}
const operations = endpoints.map(({ method, url, permission, body }) => ({
  method: method as string,
  path: `/api${url.replace(/:(\w+)/g, (_, name: string) => samples[name] ?? '1')}`,
  permission,
  body: body ? '{}' : undefined,
}))
type Operation = (typeof operations)[number]

/** Other spellings of the same address, for lenient parsers. */
export const spellings = ({ path }: Operation): string[] => {
  const [, first = '', ...rest] = path.split('/')
  const tail = rest.join('/')
  const last = rest.at(-1) ?? ''
  const head = path.slice(0, path.length - last.length)
  return [
    `/${path}`,
    `//${path}//`,
    `/${first}//${tail}`,
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${path}/..;/`,
    `${path}/x/..`,
    `${path}.`,
    `${path}...`,
    `${path}.json`,
    `${path}.html`,
    `${path};`,
    `${path};a=b`,
    `/${first};a=b/${tail}`,
    `${path}%20`,
    `${path}%09`,
    `${path}%00`,
    `${path}%00.html`,
    `${path}%0a`,
    `${path}%2f`,
    `${path}%3f`,
    `${path}%23`,
    `${path}#x`,
    `${path}?`,
    `${path}??a`,
    `${path}&a=b`,
    `/.${path}`,
    `/./${first}/./${tail}`,
    `/x/..${path}`,
    `/portal/../${first}/${tail}`,
    `/${first}/portal/../${tail}`,
    `/${first}/../${first}/${tail}`,
    `/${first}/%2e%2e/${first}/${tail}`,
    `/${first}/%2e/${tail}`,
    `/${first}/..%2f${first}/${tail}`,
    `/${first}/..%5c${tail}`,
    `/${first}/%252e%252e/${first}/${tail}`,
    `/assets/..${path}`,
    `/assets/%2e%2e${path}`,
    `/healthz/..${path}`,
    `/healthz/..;${path}`,
    `/${first}%2f${tail}`,
    `/${first}%252f${tail}`,
    `/${first}\\${tail}`,
    `\\${first}\\${tail.replaceAll('/', '\\')}`,
    `/${first}%5c${tail}`,
    `/%61${path.slice(2)}`,
    `/%41${path.slice(2)}`,
    `/%2561${path.slice(2)}`,
    `/%c1%a1${path.slice(2)}`,
    `/%ef%bd%81${path.slice(2)}`,
    `/%u0061${path.slice(2)}`,
    `/${first.toUpperCase()}/${tail}`,
    `/Api/${tail}`,
    path.toUpperCase(),
    `${head}${encodeURIComponent(last).replace(/^./, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
    `http://localhost${path}`,
    `http://${foreign}${path}`,
    `HTTP://LOCALHOST:1${path}`,
    `http:${path}`,
    `//${foreign}${path}`,
    `@${foreign}${path}`,
    `${path}?access_token=${adminToken}&token=${adminToken}`,
    `${path}?_method=GET&__proto__[permission]=public`,
  ]
}

/** Headers that must not give the caller more access. */
const pretences = ({ path }: Operation): Record<string, string>[] => [
  { host: foreign },
  { host: 'localhost:1' },
  { host: '' },
  { 'x-forwarded-host': foreign, 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/api/portal' },
  { 'x-original-url': '/api/portal', 'x-rewrite-url': '/api/portal' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' },
  { 'x-http-method-override': 'GET', 'x-method-override': 'GET', 'x-http-method': 'GET' },
  { 'x-user-id': '1', usuario_id: '1', client_id: '1', scope: 'backoffice' },
  { cookie: `token=${adminToken}; access_token=${adminToken}; session=${adminToken}` },
  { 'x-access-token': adminToken, 'proxy-authorization': `Bearer ${adminToken}` },
  { referer: `http://localhost${path}`, origin: `http://${foreign}` },
]

const otherMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
]

/** Every caller gets the portal's one page, which contains no personal data. */
const isPage = ({ headers, body }: Answer): boolean =>
  /^text\/html/.test(headers['content-type'] ?? '') && body.includes('<div id="root">')

export const isGranted = (answer: Answer): boolean => answer.status < 400 && !isPage(answer)

const inBatches = async <T>(items: T[], work: (item: T) => Promise<void>): Promise<void> => {
  for (let i = 0; i < items.length; i += 8) await Promise.all(items.slice(i, i + 8).map(work))
}

const isServed = (method: string, path: string): boolean =>
  operations.some((operation) => operation.method === method && operation.path === path)

/**
 * Tests every `oneIn`th variant of each operation, shifted per operation, so that each variant is
 * tried on many operations.
 */
export const testVariants = ({ as, oneIn }: { as: 'nobody' | 'person'; oneIn: number }): void => {
  test.each(
    operations.map(
      (operation, index) => [`${operation.method} ${operation.path}`, operation, index] as const,
    ),
  )('other spellings give no access: %s', async (_name, operation, index) => {
    const token = as === 'nobody' ? undefined : userToken
    const headers: Record<string, string> = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(operation.body ? { 'content-type': 'application/json' } : {}),
    }
    const { method, path, body } = operation
    const plain = await send({ method, path, headers, body })
    if (as === 'nobody' && operation.permission !== 'public') expect(plain.status).toBe(401)
    if (plain.status !== 401 && plain.status !== 403) return
    const calls: Call[] = [
      ...spellings(operation).map((spelling) => ({ method, path: spelling, headers, body })),
      ...pretences(operation).map((more) => ({ method, path, headers: { ...headers, ...more }, body })),
      ...otherMethods
        .filter((other) => !isServed(other, path))
        .map((other) => ({ method: other, path, headers })),
    ]
    const turn = calls.filter((_, variant) => (variant + index) % oneIn === 0)
    await inBatches(turn, async (call) => {
      const answer = await send(call)
      const said = `${call.method} ${call.path} ${JSON.stringify(call.headers)} → ${answer.status} ${answer.body.slice(0, 200)}`
      expect(isGranted(answer), said).toBe(false)
      expect(answer.status, said).toBeLessThan(500)
      if (!call.path.includes(foreign)) {
        expect(JSON.stringify(answer.headers) + answer.body, said).not.toContain(foreign)
      }
    })
  })
}
