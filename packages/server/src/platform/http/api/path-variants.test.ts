import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  isGranted,
  send,
  spellings,
  startVariants,
  stopVariants,
  testVariants,
} from '../../../../test/checks/path-variants.ts'

let port: number
beforeAll(async () => {
  port = await startVariants()
})
afterAll(stopVariants)

// A quarter of the variants; path-variants.long.ts tries them all.
describe('a caller without a session', () => testVariants({ as: 'nobody', oneIn: 4 }))
describe('a signed-in USER', () => testVariants({ as: 'person', oneIn: 4 }))

test('the spellings get past a guard that compares the address as typed', async () => {
  const naive = Fastify({ routerOptions: { ignoreDuplicateSlashes: true, caseSensitive: false } })
  naive.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/usuarios')) return reply.code(401).send()
  })
  naive.get('/api/usuarios', async () => 'segredo')
  await naive.listen({ port: 0, host: '127.0.0.1' })
  const to = (naive.server.address() as AddressInfo).port
  const operation = {
    method: 'GET',
    path: '/api/usuarios',
    permission: 'users:manage' as const,
    body: undefined,
  }
  const found: string[] = []
  for (const path of spellings(operation)) {
    // A plain Fastify server sends no answer to some of them.
    const answer = await send({ method: 'GET', path }, to).catch(() => undefined)
    if (answer && isGranted(answer)) found.push(path)
  }
  await naive.close()
  expect(found).toEqual(expect.arrayContaining(['//api/usuarios', '/%61pi/usuarios', '/API/USUARIOS']))
})

/** Messages that a proxy and the server may split differently into requests. */
const ambiguous = [
  ['two lengths', 'content-length: 2\r\ncontent-length: 40\r\n'],
  ['a length and chunks', 'content-length: 4\r\ntransfer-encoding: chunked\r\n'],
  ['an unknown transfer encoding', 'transfer-encoding: xchunked\r\n'],
  ['chunks twice', 'transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n'],
  ['a space before the colon', 'transfer-encoding : chunked\r\n'],
  ['a folded line', 'transfer-encoding:\r\n chunked\r\n'],
  ['a sign in the length', 'content-length: +4\r\n'],
  ['a bare line feed', 'x: 1\ntransfer-encoding: chunked\r\n'],
  ['a NUL', 'x: a\0b\r\n'],
] as const

test.each(ambiguous)(
  'a signed-in USER refuses an ambiguous message and closes the connection: %s',
  async (_, header) => {
    const socket = connect(port, '127.0.0.1')
    const second = 'GET /api/portal HTTP/1.1\r\nhost: localhost\r\n\r\n'
    socket.write(
      `POST /api/usuarios/authorizer HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${header}\r\n0\r\n\r\n${second}`,
    )
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
  },
)
