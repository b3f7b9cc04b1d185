import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { promises } from 'node:dns'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { LOADED } from '../src/contained-process.ts'

/* Runs as the programs that parse uploads do, and tries what an attacker in one of them would. */

const attempts = ({ secret, port, socket }: { secret: string; port: number; socket: string }) => ({
  'read /etc/passwd': () => readFileSync('/etc/passwd'),
  'read the secret': () => readFileSync(secret),
  'read its environment': () => readFileSync('/proc/self/environ'),
  'read its code': () => readFileSync(new URL('../src/contained-process.ts', import.meta.url)),
  write: () => writeFileSync('/tmp/bi-manager-contained-probe', 'x'),
  'run a program': () => execFileSync('/bin/true'),
  'start a thread': () => new Worker('', { eval: true }),
  connect: () => once(connect(port, '127.0.0.1'), 'connect'),
  'connect to a file': () => once(connect(socket), 'connect'),
  listen: () => once(createServer().listen(0, '127.0.0.1'), 'listening'),
  'send a datagram': () => once(createSocket('udp4').bind(0), 'listening'),
  'ask for a name': () => promises.resolve('exemplo.com.br'),
  fetch: () => fetch(`http://127.0.0.1:${port}/`),
})

process.once('message', async (aims: Parameters<typeof attempts>[0]) => {
  const outcomes: Record<string, string> = {}
  for (const [name, attempt] of Object.entries(attempts(aims))) {
    try {
      await attempt()
      outcomes[name] = 'allowed'
    } catch (error) {
      const { cause = error } = error as { cause?: unknown }
      outcomes[name] = (cause as NodeJS.ErrnoException).code ?? String(error)
    }
  }
  process.send?.(outcomes)
})
process.once('disconnect', () => process.exit())
process.send?.(LOADED)
