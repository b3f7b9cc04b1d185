import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { keepClientAddresses, plainAddress, plainForwardedAddresses } from './client-addresses.ts'

/*
 * Kind: one address has several spellings, and each place compares, counts or stores another one.
 * Looked for in permitted networks, limits per address, the audit trail, access logs, screens and
 * API keys of the portal, and the limit of public calls of the report service: all read request.ip.
 */

const spellings: [text: string, plain: string][] = [
  ['192.0.2.66', '192.0.2.66'],
  ['192.0.2.66:51234', '192.0.2.66'],
  ['::ffff:192.0.2.66', '192.0.2.66'],
  ['::FFFF:c000:242', '192.0.2.66'],
  ['0:0:0:0:0:ffff:c000:0242', '192.0.2.66'],
  ['[::ffff:192.0.2.66]:51234', '192.0.2.66'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:0DB8:0:0::0001', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
  ['unknown', 'unknown'],
  ['_hidden', '_hidden'],
  ['192.0.2.999:1', '192.0.2.999'],
  ['', ''],
]

test.each(spellings)('%s is the address %s', (text, plain) => {
  expect(plainAddress(text)).toBe(plain)
})

test.each(spellings)('a proxy that writes %s leads to the address %s', async (text, plain) => {
  const app = Fastify({ trustProxy: 'loopback', ...plainForwardedAddresses() })
  app.get('/', async ({ ip }) => ip)
  const answer = await app.inject({ url: '/', headers: { 'x-forwarded-for': text } })
  expect(answer.body).toBe(plain || '127.0.0.1')
})

test('a proxy in the list is trusted although the next one writes its port', async () => {
  const app = Fastify({ trustProxy: '127.0.0.1, 10.0.0.0/8', ...plainForwardedAddresses() })
  app.get('/', async ({ ip }) => ip)
  const forged = { 'x-forwarded-for': '203.0.113.9:5, 192.0.2.66:51234, 10.1.2.3:8080' }
  expect((await app.inject({ url: '/', headers: forged })).body).toBe('192.0.2.66')
})

const listensOnBoth = async () => {
  const probe = createServer().listen(0, '::')
  const [first] = await Promise.race([once(probe, 'listening'), once(probe, 'error')])
  probe.close()
  return first === undefined
}

test('a direct connection by IPv4 to a server on both versions has an IPv4 address', async ({ skip }) => {
  skip(!(await listensOnBoth()), 'this machine has no IPv6')
  const app = Fastify(plainForwardedAddresses())
  onTestFinished(() => app.close())
  keepClientAddresses(app)
  app.get('/', async ({ ip }) => ip)
  await app.listen({ port: 0, host: '::' })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.end('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toContain('\r\n\r\n127.0.0.1')
})
