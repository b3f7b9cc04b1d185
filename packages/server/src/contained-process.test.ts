import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { closeOff, LOADED, startContained } from './contained-process.ts'

const probe = fileURLToPath(new URL('../test/contained-probe.ts', import.meta.url))

test('a program that parses uploads can open no file, no socket and no process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contained-'))
  const secret = join(folder, 'app-secret.key')
  await writeFile(secret, 'secret')
  let connections = 0
  const [tcp, local] = [createServer(), createServer()]
  for (const server of [tcp, local]) {
    server.on('connection', (peer) => {
      connections += 1
      peer.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  }
  const socket = join(folder, 'local.sock')
  await Promise.all([once(tcp.listen(0, '127.0.0.1'), 'listening'), once(local.listen(socket), 'listening')])
  const child = startContained(probe, { allow: 'addons', timeout: 15_000 })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    for (const server of [tcp, local]) server.close()
    await rm(folder, { recursive: true })
  })
  expect(await once(child, 'message')).toEqual([LOADED, undefined])
  await closeOff(child)
  child.send({ secret, port: (tcp.address() as AddressInfo).port, socket })
  const [outcomes] = await once(child, 'message')
  expect(outcomes).toEqual({
    // By Node's permission model.
    'read /etc/passwd': 'ERR_ACCESS_DENIED',
    'read the secret': 'ERR_ACCESS_DENIED',
    'read its environment': 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    'run a program': 'ERR_ACCESS_DENIED',
    'start a thread': 'ERR_ACCESS_DENIED',
    // By the kernel.
    'read its code': 'EMFILE',
    connect: 'EMFILE',
    'connect to a file': 'EMFILE',
    listen: 'EMFILE',
    'send a datagram': 'EMFILE',
    'ask for a name': expect.stringMatching(/^(EMFILE|ECONNREFUSED|ETIMEOUT|ENOTFOUND)$/),
    fetch: 'EMFILE',
  })
  expect(connections).toBe(0)
})
