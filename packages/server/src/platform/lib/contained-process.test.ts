import { type ChildProcess, fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Aims } from '../../../test/processes/contained-probe.ts'
import { denyFileDescriptors, LOADED, startContainedProcess } from './contained-process.ts'

const probe = fileURLToPath(new URL('../../../test/processes/contained-probe.ts', import.meta.url))

/** The targets of the probe, each of which answers, and a count of their connections. */
const openAims = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contained-'))
  await writeFile(join(folder, 'app-secret.key'), 'secret')
  let visits = 0
  const [tcp, local, dns] = [createServer(), createServer(), createSocket('udp4')]
  for (const server of [tcp, local]) {
    server.on('connection', (peer) => {
      visits += 1
      peer.on('error', () => {}).end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  }
  dns.on('message', (question, { port }) => {
    visits += 1
    dns.send(answerTo(question), port, '127.0.0.1')
  })
  const socket = join(folder, 'local.sock')
  await Promise.all([
    once(tcp.listen(0, '127.0.0.1'), 'listening'),
    once(local.listen(socket), 'listening'),
    once(dns.bind(0, '127.0.0.1'), 'listening'),
  ])
  onTestFinished(async () => {
    for (const server of [tcp, local, dns]) server.close()
    await rm(folder, { recursive: true })
  })
  const aims: Aims = { folder, port: (tcp.address() as AddressInfo).port, socket, dns: dns.address().port }
  return { aims, visits: () => visits }
}

/** Answers the question with one address: RFC 1035, 4.1. */
const answerTo = (question: Buffer): Buffer => {
  const end = question.indexOf(0, 12) + 5
  const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
  const answer = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
  return Buffer.concat([header, question.subarray(12, end), Buffer.from(answer)])
}

const outcomesOf = async (child: ChildProcess, aims: Aims) => {
  onTestFinished(() => void child.kill('SIGKILL'))
  child.send(aims)
  const [outcomes] = await once(child, 'message')
  return outcomes
}

const denied = 'ERR_ACCESS_DENIED'
const byNode = {
  'read /etc/passwd': denied,
  'read the secret': denied,
  'read its environment': denied,
  write: denied,
  'delete the secret': denied,
  'run a program': denied,
}
const byTheKernel = {
  'read its code': 'EMFILE',
  connect: 'EMFILE',
  'connect to a file': 'EMFILE',
  listen: 'EMFILE',
  'send a datagram': 'EMFILE',
  // c-ares reports this when it gets no socket; the server it asks would answer.
  'ask for a name': 'ECONNREFUSED',
  fetch: 'EMFILE',
}

test.each([
  ['addons', { 'start a thread': denied, 'start a thread without the model': denied }],
  ['worker', { 'start a thread': 'EMFILE', 'start a thread without the model': 'EMFILE' }],
] as const)(
  'a program that parses uploads with --allow-%s cannot open a file, a socket or a process',
  async (allow, threads) => {
    const { aims, visits } = await openAims()
    const child = startContainedProcess(probe, { allow, timeout: 15_000 })
    expect(await once(child, 'message')).toEqual([LOADED, undefined])
    await denyFileDescriptors(child)
    expect(await outcomesOf(child, aims)).toEqual({ ...byNode, ...byTheKernel, ...threads })
    expect(visits()).toBe(0)
    await access(join(aims.folder, 'app-secret.key'))
  },
)

test('a program that is not contained can do all of that', async () => {
  const { aims, visits } = await openAims()
  const child = fork(probe, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  expect(await once(child, 'message')).toEqual([LOADED, undefined])
  const outcomes = await outcomesOf(child, aims)
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['allowed']))
  expect(Object.keys(outcomes)).toHaveLength(15)
  expect(visits()).toBe(4)
})
