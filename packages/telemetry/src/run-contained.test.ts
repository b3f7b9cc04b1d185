import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { processesOf } from '../test/child-processes.ts'
import type { Aims } from '../test/contained-probe.ts'
import { type ContainedFault, runContained } from './run-contained.ts'

const probe = fileURLToPath(new URL('../test/contained-probe.ts', import.meta.url))
const limits = { memoryMegabytes: 512, timeMs: 15_000 }
const anything = { safeParse: (data: unknown) => ({ data }) }
const shortText = {
  safeParse: (said: unknown) => (typeof said === 'string' && said.length <= 100 ? { data: said } : {}),
}

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

const denied = 'ERR_ACCESS_DENIED'
const byNode = {
  'read /etc/passwd': denied,
  'read the secret': denied,
  'read its environment': denied,
  write: denied,
  'delete the secret': denied,
  'run a program': denied,
  'start a thread': denied,
  'start a thread without the model': denied,
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

test.runIf(process.platform === 'linux').each([[false], [true]])(
  'a contained program cannot open a file, a socket or a process (native addons allowed: %s)',
  async (usesAddons) => {
    const { aims, visits } = await openAims()
    const outcomes = await runContained(probe, aims, {
      answer: anything,
      containment: { ...limits, usesAddons },
    })
    expect(outcomes).toEqual({ ...byNode, ...byTheKernel })
    expect(visits()).toBe(0)
    await access(join(aims.folder, 'app-secret.key'))
  },
)

test('a program that is not contained can do all of that', async () => {
  const { aims, visits } = await openAims()
  const outcomes = await runContained(probe, aims, { answer: anything, containment: 'none' })
  expect(new Set(Object.values(outcomes as object))).toEqual(new Set(['allowed']))
  expect(Object.keys(outcomes as object)).toHaveLength(15)
  expect(visits()).toBe(4)
})

/** Returns a program that is loaded and then does this with the text that it gets. */
const programOf = async (body: string, before = '') => {
  const folder = await mkdtemp(join(tmpdir(), 'contained-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'program.mjs')
  const module = new URL('./answer-contained.ts', import.meta.url)
  await writeFile(
    file,
    `import { writeSync } from 'node:fs'; ${before}; const { answerContained } = await import('${module}')
     await answerContained(async (input) => { ${body} })`,
  )
  return file
}
const run = (file: string, options: object = {}, signal?: AbortSignal) =>
  runContained(file, 'pergunta', {
    answer: shortText,
    containment: { ...limits, ...options },
    signal,
  })

test('runContained returns the answer of a program, with the bytes of its input', async () => {
  expect(await run(await programOf("return input + ': sim'"))).toBe('pergunta: sim')
  const echo = await programOf('return input')
  const bytes = Buffer.alloc(20_000_000, 7)
  const said = await runContained(echo, bytes, { answer: anything, containment: limits })
  expect(bytes.equals(said as Buffer)).toBe(true)
})

const grows = 'const all = []; for (;;) all.push(Buffer.alloc(10_000_000, 1))'
const heap = 'const all = []; for (;;) all.push({ all })'
const kill = (signal: string) => `process.kill(process.pid, '${signal}'); await new Promise(() => {})`

describe('a contained program that does not answer', () => {
  test.each<[string, ContainedFault, string, object]>([
    ['works too long', 'time', 'for (;;);', { timeMs: 300 }],
    [
      'waits too long',
      'time',
      'await new Promise((resolve) => setTimeout(resolve, 60_000))',
      { timeMs: 300 },
    ],
    ['takes too much memory', 'memory', grows, { memoryMegabytes: 150 }],
    ['fills its heap', 'memory', heap, { heapMegabytes: 30 }],
    ['is killed by the system', 'memory', kill('SIGKILL'), {}],
    ['crashes', 'crash', kill('SIGSEGV'), {}],
    ['aborts', 'crash', 'process.abort()', {}],
    ['exits', 'crash', 'process.exit(0)', {}],
    ['fails', 'failure', "throw new Error('sem memória de vídeo')", {}],
    ['answers another type', 'malformed', 'return 5', {}],
    ['answers nothing', 'malformed', '', {}],
    ['answers too long a text', 'malformed', "return 'x'.repeat(101)", {}],
    ['says what is no answer', 'malformed', "writeSync(3, 'nada'); process.exit(0)", {}],
    ['writes more before its answer', 'malformed', "writeSync(3, Buffer.alloc(9)); return 'sim'", {}],
    [
      'says what Node would take for a broken message',
      'malformed',
      'writeSync(3, Buffer.from([0, 0, 0, 4, 1, 2, 3, 4])); process.exit(0)',
      {},
    ],
  ])(
    'a contained program that %s ends with the fault "%s"',
    async (_, fault, body, options) => {
      const file = await programOf(body)
      await expect(run(file, options)).rejects.toMatchObject({ name: 'ContainedError', fault })
      // Nothing stays behind, and the next one is not affected.
      await expect.poll(() => processesOf(file)).toEqual([])
    },
    30_000,
  )

  test.each([
    ['is not there', undefined],
    ['ends before it is loaded', 'process.exit(3)'],
    ['throws before it is loaded', "throw new Error('sem módulo')"],
  ])('a program that %s says nothing of its input', async (_, before) => {
    const file = before === undefined ? '/nada/program.mjs' : await programOf('', before)
    await expect(run(file)).rejects.toMatchObject({
      fault: 'failure',
      message: /program\.mjs .*did not load/,
    })
  })
})

test('an aborted call ends its program, with the reason of the signal', async () => {
  const file = await programOf('for (;;);')
  await expect(run(file, {}, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(await processesOf(file)).toEqual([])
  const stop = new AbortController()
  const running = run(file, { timeMs: 60_000 }, stop.signal)
  await expect.poll(() => processesOf(file)).toHaveLength(1)
  stop.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
  expect(await processesOf(file)).toEqual([])
})

test.runIf(process.platform === 'linux')('a contained program ends with its service', async () => {
  const file = await programOf('for (;;);')
  const module = new URL('./run-contained.ts', import.meta.url)
  const service = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { runContained } = await import('${module}')
     await runContained(${JSON.stringify(file)}, '', { answer: {}, containment: { memoryMegabytes: 256, timeMs: 500 } })`,
  ])
  onTestFinished(() => void service.kill('SIGKILL'))
  await expect.poll(() => processesOf(file, service.pid), { timeout: 10_000 }).toHaveLength(1)
  const [pid = 0] = await processesOf(file, service.pid)
  await expect.poll(() => readFile(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max open files +0 +0 /)
  service.kill('SIGKILL')
  // It is too busy to see that, so the kernel ends it.
  await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''), { timeout: 10_000 }).toBe('')
})

describe('without prlimit', () => {
  const onPlatform = (name: NodeJS.Platform) => {
    vi.stubEnv('PATH', '/nowhere')
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue(name)
    onTestFinished(() => {
      platform.mockRestore()
      vi.unstubAllEnvs()
    })
  }

  test('without prlimit, Linux gives a contained program no input', async () => {
    onPlatform('linux')
    const file = await programOf("return 'sim'")
    const message = /install the package util-linux/
    await expect(run(file)).rejects.toMatchObject({
      fault: 'uncontained',
      message: expect.stringMatching(message),
    })
    expect(await processesOf(file)).toEqual([])
  })

  test('without prlimit, another system runs a program and warns', async () => {
    onPlatform('darwin')
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    expect(await run(await programOf("return 'sim'"))).toBe('sim')
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('could reach the network'), {
      code: 'BI_MANAGER_NO_PRLIMIT',
    })
    warn.mockRestore()
  })
})
