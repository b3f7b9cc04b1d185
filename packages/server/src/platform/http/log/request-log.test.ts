import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { embeddingSuite } from '../../../../test/stand-ins/embedding.ts'
import { createUser, password } from '../../../../test/users.ts'
import { buildApp } from '../../../app.ts'

const { suite, publish, viewer } = embeddingSuite()

let server: Awaited<ReturnType<typeof buildApp>>
let url: string
let lines: Record<string, unknown>[] = []
const logTo = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
    done()
  },
})

beforeAll(async () => {
  const config = { ...suite.app.services.config, logLevel: 'info' as const }
  server = await buildApp({ ...suite.app.services, config }, { logTo })
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  lines = []
})
afterAll(() => server.close())

const requestLines = () => lines.filter(({ msg }) => msg === 'request')
const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

describe('the request log', () => {
  test('the request log has one line per request, with method, route, path, status, time and both ids', async () => {
    const response = await fetch(`${url}/api/usuarios/permissoes/7?busca=x`, {
      headers: { 'x-request-id': 'balanceador-42', traceparent },
    })
    await response.text()
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatchObject({
      level: 'info',
      service: 'portal',
      msg: 'request',
      method: 'GET',
      path: '/api/usuarios/permissoes/7',
      status: response.status,
      ms: expect.any(Number),
      requestId: 'balanceador-42',
      traceId,
    })
    expect(response.headers.get('x-request-id')).toBe('balanceador-42')
  })

  test('the request log names the route by its pattern, and the problem by its code', async () => {
    await (await fetch(`${url}/api/usuarios/relatorio/12/acesso`)).text()
    await expect.poll(requestLines).toHaveLength(1)
    expect(requestLines()[0]).toMatchObject({ status: 401, code: 'sessao_ausente' })
    expect(String(requestLines()[0]?.route)).toContain(':id')
  })

  test.each([
    ['an unknown address', '/api/nada', 404, expect.toBeOneOf([null, '/*'])],
    ['an address that cannot be decoded', '/api/%zz', 400, null],
    ['a health check', '/healthz', 200, '/healthz'],
  ])('the request log has one line for %s', async (_, path, status, route) => {
    const answer = await server.inject(path)
    expect(answer.statusCode).toBe(status)
    expect(requestLines()).toEqual([expect.objectContaining({ status, route })])
    expect(answer.headers['x-request-id']).toBe(requestLines()[0]?.requestId)
  })

  test('the request log has one line for bytes that are not HTTP', async () => {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('ISTO NAO E HTTP\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400/)
    expect(requestLines()).toEqual([expect.objectContaining({ status: 400, method: null })])
  })

  test('the request log has one line for a stream that its client closes', async () => {
    const { token } = await suite.app.as(await createUser(suite.app))
    const leaving = new AbortController()
    await fetch(`${url}/api/usuarios/eventos`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    expect(requestLines()).toEqual([])
    leaving.abort()
    await expect
      .poll(requestLines)
      .toEqual([expect.objectContaining({ route: '/api/usuarios/eventos', status: 200, aborted: true })])
  })
})

describe('x-request-id', () => {
  test.each(['', 'a b', 'a"b', 'x'.repeat(129), 'linha\u0085nova'])(
    'x-request-id is replaced when malformed: %j',
    async (given) => {
      const { headers } = await server.inject({ url: '/healthz', headers: { 'x-request-id': given } })
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
      expect(lines[0]?.requestId).toBe(headers['x-request-id'])
    },
  )

  test('x-request-id is the id in the body of a problem', async () => {
    const answer = await server.inject({ url: '/api/usuarios/menus', headers: { 'x-request-id': 'abc-1' } })
    expect(answer.json().idRequisicao).toBe('abc-1')
  })
})

describe('traceparent', () => {
  test.each([
    '',
    'nada',
    `ff-${traceId}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `${traceparent}-more`,
    traceparent.toUpperCase(),
  ])('traceparent starts a new trace when malformed: %j', async (given) => {
    await server.inject({ url: '/healthz', headers: { traceparent: given } })
    expect(lines[0]?.traceId).toMatch(/^[\da-f]{32}$/)
    expect(lines[0]?.traceId).not.toBe(traceId)
  })

  test('traceparent may have more fields in a later version', async () => {
    await server.inject({ url: '/healthz', headers: { traceparent: `01-${traceId}-b7ad6b7169203331-01-x` } })
    expect(lines[0]?.traceId).toBe(traceId)
  })
})

test('every call to the provider carries both ids, unless no request caused it', async () => {
  const { report, address } = await publish()
  const { user } = await viewer(report.idRelatorio)
  const signIn = await server.inject({
    method: 'POST',
    url: '/api/usuarios/authorizer',
    payload: { username: user.emailUsuario, password },
  })
  const answer = await server.inject({
    method: 'POST',
    url: '/api/usuarios/relatorio/embed',
    headers: {
      authorization: `Bearer ${signIn.json().access_token}`,
      'x-request-id': 'pedido-9',
      traceparent,
    },
    payload: address,
  })
  expect(answer.statusCode).toBe(200)
  expect(suite.provider.seen.map(({ path }) => path.split('/').at(-1))).toContain('GenerateToken')
  for (const call of suite.provider.seen) expect(call).toMatchObject({ requestId: 'pedido-9', traceparent })

  suite.provider.restore()
  await suite.app.services.powerBi.listGroups({
    id: 1,
    version: 1,
    provider: 'microsoft',
    tenantId: crypto.randomUUID(),
    applicationId: crypto.randomUUID(),
    credential: { kind: 'service_principal' },
    secret: () => 'segredo',
  })
  for (const call of suite.provider.seen) expect(call.requestId).toBeUndefined()
})
