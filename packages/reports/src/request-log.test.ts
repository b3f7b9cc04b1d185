import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { REPORT, type Service, startService } from '../test/fixture.ts'

let service: Service
let lines: Record<string, unknown>[] = []
const logTo = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
    done()
  },
})
beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: 'info' }, options: { logTo } })
  await service.loaded
  await service.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  lines = []
})
afterAll(() => service.stop())

const traceId = '0af7651916cd43dd8448eb211c80319c'

test('the log logs one line per request, with method, route, path, status, time and both ids', async () => {
  const answer = await service.app.inject({
    url: `/embed-api/reports/${REPORT}?token=segredo`,
    headers: { 'x-request-id': 'pedido-9', traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  })
  expect(answer.headers['x-request-id']).toBe('pedido-9')
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      service: 'relatorios',
      msg: 'request',
      method: 'GET',
      route: '/embed-api/reports/:id',
      path: `/embed-api/reports/${REPORT}`,
      status: 403,
      ms: expect.any(Number),
      requestId: 'pedido-9',
      traceId,
    }),
  ])
})

test.each([
  ['/nada', 404, null],
  ['/v1.0/%zz', 400, null],
  ['/healthz', 200, '/healthz'],
])('the log logs one line for %s', async (url, status, route) => {
  const answer = await service.app.inject({ url, headers: { 'x-request-id': 'mal formado' } })
  expect(answer.statusCode).toBe(status)
  expect(lines).toEqual([expect.objectContaining({ status, route, msg: 'request' })])
  expect(answer.headers['x-request-id']).toBe(lines[0]?.requestId)
  expect(lines[0]?.requestId).toMatch(/^[\da-f-]{36}$/)
})

test('the log logs one line for bytes that are not HTTP', async () => {
  const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('ISTO NAO E HTTP\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400/)
  expect(lines).toEqual([expect.objectContaining({ status: 400, method: null, msg: 'request' })])
})
