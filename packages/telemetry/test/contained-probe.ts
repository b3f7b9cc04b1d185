import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { promises } from 'node:dns'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { answerContained } from '../src/answer-contained.ts'

/* Runs contained, like the programs that parse uploads, and attempts what an attacker in one would. */

export interface Aims {
  folder: string
  port: number
  /** Path of a socket. */
  socket: string
  /** Port of a DNS server that answers. */
  dns: number
}

const startThread = async (options: object) => {
  await once(new Worker('', { eval: true, ...options }), 'online')
}
const ask = async (port: number) => {
  const resolver = new promises.Resolver({ tries: 1, timeout: 2_000 })
  resolver.setServers([`127.0.0.1:${port}`])
  await resolver.resolve4('exemplo.com.br')
}

const attempts = ({ folder, port, socket, dns }: Aims) => ({
  'read /etc/passwd': () => readFileSync('/etc/passwd'),
  'read the secret': () => readFileSync(join(folder, 'app-secret.key')),
  'read its environment': () => readFileSync('/proc/self/environ'),
  'read its code': () => readFileSync(new URL('../src/run-contained.ts', import.meta.url)),
  write: () => writeFileSync(join(folder, 'written'), 'x'),
  'delete the secret': () => rmSync(join(folder, 'app-secret.key')),
  'run a program': () => execFileSync('/bin/true'),
  'start a thread': () => startThread({}),
  // Node applies no permission model to such a thread.
  'start a thread without the model': () => startThread({ execArgv: [] }),
  connect: () => once(connect(port, '127.0.0.1'), 'connect'),
  'connect to a file': () => once(connect(socket), 'connect'),
  listen: () => once(createServer().listen(0, '127.0.0.1'), 'listening'),
  'send a datagram': () => once(createSocket('udp4').bind(0), 'listening'),
  'ask for a name': () => ask(dns),
  fetch: () => fetch(`http://127.0.0.1:${port}/`),
})

const outcomesOf = async (aims: Aims) => {
  const outcomes: Record<string, string> = {}
  for (const [name, attempt] of Object.entries(attempts(aims))) {
    try {
      await attempt()
      outcomes[name] = 'allowed'
    } catch (error) {
      const { cause = error } = error as { cause?: unknown }
      const { code, message } = cause as NodeJS.ErrnoException
      outcomes[name] = /\bEMFILE\b/.exec(`${code} ${message}`)?.[0] ?? code ?? String(cause)
    }
  }
  return outcomes
}

await answerContained(outcomesOf)
