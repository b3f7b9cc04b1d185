import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePorts } from '../machines/ports.ts'
import type { Launch } from './launch.ts'

/** A fake server: ready at /readyz, ends on SIGTERM and when its launcher is gone. */
const server = `
import { createServer } from 'node:http'
import { existsSync, writeFileSync } from 'node:fs'
const [port, pidFile, mode] = process.argv.slice(2)
const isFirst = !existsSync(pidFile)
writeFileSync(pidFile, String(process.pid))
if (mode === 'dead') process.exit(4)
if (mode === 'once' && !isFirst) process.exit(78)
if (mode === 'crash') for (const kept = [];;) kept.push(new Array(1e6).fill(kept.length))
if (mode === 'explained') { console.error('PORT deve ser um número.'); process.exit(78) }
createServer((request, response) => {
  if (request.url === '/die') process.exit(3)
  response.writeHead(mode === 'unready' ? 503 : 200).end()
}).listen(port, '127.0.0.1')
process.on('SIGTERM', () => mode !== 'stubborn' && setTimeout(() => process.exit(0), mode === 'slow-stop' ? 500 : 0))
process.once('disconnect', () => process.exit(0))
process.channel.unref()
`

let folder: string
let ports: number[]
let started: Started[]

interface Started {
  process: ChildProcess
  output: () => string
  exit: Promise<number | null>
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bi-manager-launch-'))
  ports = await freePorts(2)
  started = []
  writeFileSync(join(folder, 'server.mjs'), server)
})

afterEach(() => {
  for (const { process: launcher } of started) launcher.kill('SIGKILL')
  for (const name of ['one', 'two']) if (isAlive(pidOf(name))) process.kill(pidOf(name), 'SIGKILL')
  rmSync(folder, { recursive: true })
})

describe('launch', () => {
  test('launch calls onReady when every process is ready, and exits with 0 after SIGTERM ended them all', async () => {
    const launcher = await startReady()
    expect([pidOf('one'), pidOf('two')].map(isAlive)).toEqual([true, true])
    launcher.process.kill('SIGTERM')
    expect(await launcher.exit).toBe(0)
    expect([pidOf('one'), pidOf('two')].map(isAlive)).toEqual([false, false])
  })

  test('launch treats two SIGINT at once as one', async () => {
    const launcher = await startReady()
    launcher.process.kill('SIGINT')
    launcher.process.kill('SIGINT')
    expect(await launcher.exit).toBe(0)
    expect([pidOf('one'), pidOf('two')].map(isAlive)).toEqual([false, false])
  })

  test('launch starts a process and all its threads with low priority', async () => {
    await startReady({ lowPriority: 'two' })
    expect(threadPriorities(pidOf('one'))).toEqual([getPriority()])
    expect(threadPriorities(pidOf('two'))).toEqual([constants.priority.PRIORITY_BELOW_NORMAL])
  })

  test('launch restarts a process that ends, after growing pauses', async () => {
    const launcher = await startReady({ restartAfter: 50 })
    const other = pidOf('one')
    for (const pause of ['0,05', '0,1', '0,2']) {
      const before = pidOf('two')
      await fetch(`http://127.0.0.1:${ports[1]}/die`).catch(() => {})
      const isBack = async () =>
        (await fetch(`http://127.0.0.1:${ports[1]}/readyz`).catch(() => undefined))?.ok
      // The dying process may still answer.
      await expect
        .poll(async () => pidOf('two') !== before && (await isBack()), { timeout: 10_000 })
        .toBe(true)
      expect(messages(launcher)).toContain(
        `O processo "two" terminou sem que fosse pedido (código 3); começa de novo em ${pause} s.`,
      )
    }
    expect([isAlive(other), pidOf('one')]).toEqual([true, other])
  })

  test('launch keeps retrying a process that fails to restart with an explanation', async () => {
    const launcher = await startReady({ modes: ['', 'once'], restartAfter: 50 })
    await fetch(`http://127.0.0.1:${ports[1]}/die`).catch(() => {})
    await expect.poll(launcher.output, { timeout: 10_000 }).toContain('(código 78); começa de novo em 0,1 s.')
    await expect.poll(launcher.output, { timeout: 10_000 }).toContain('(código 78); começa de novo em 0,2 s.')
  })

  test('launch restarts a process on request without a pause and without a complaint', async () => {
    const launcher = await startReady({ restartAfter: 60_000 })
    const [other, before] = [pidOf('one'), pidOf('two')]
    launcher.process.kill('SIGUSR2')
    await expect.poll(() => messages(launcher), { timeout: 10_000 }).toEqual(['ready', 'back'])
    expect(pidOf('two')).not.toBe(before)
    expect([isAlive(before), isAlive(pidOf('two')), pidOf('one')]).toEqual([false, true, other])
  })

  test('launch ends the pause before a restart on request', async () => {
    const launcher = await startReady({ restartAfter: 60_000 })
    await fetch(`http://127.0.0.1:${ports[1]}/die`).catch(() => {})
    await expect.poll(launcher.output).toContain('começa de novo em 60 s.')
    launcher.process.kill('SIGUSR2')
    await expect.poll(() => messages(launcher).at(-1), { timeout: 10_000 }).toBe('back')
  })

  test('launch names a process that ends before all are ready, and ends the others', async () => {
    const launcher = start({ modes: ['unready', 'dead'] })
    expect(await launcher.exit).toBe(1)
    expect(messages(launcher)).toEqual([
      'O processo "two" terminou sem que fosse pedido (código 4); os demais foram parados.',
    ])
    expect(isAlive(pidOf('one'))).toBe(false)
  })

  test('launch names no process when it is stopped', async () => {
    const launcher = await startReady({ modes: ['slow-stop'] })
    launcher.process.kill('SIGTERM')
    expect(await launcher.exit).toBe(0)
    expect(messages(launcher)).toEqual(['ready', 'stopping'])
  })

  test('launch ends the pause before a restart on a signal', async () => {
    const launcher = await startReady({ restartAfter: 60_000 })
    await fetch(`http://127.0.0.1:${ports[1]}/die`).catch(() => {})
    await expect.poll(launcher.output).toContain('começa de novo em 60 s.')
    launcher.process.kill('SIGTERM')
    expect(await launcher.exit).toBe(0)
    expect([pidOf('one'), pidOf('two')].map(isAlive)).toEqual([false, false])
  })

  test('launch ends the children when the launcher is killed with -9', async () => {
    const launcher = await startReady()
    launcher.process.kill('SIGKILL')
    await launcher.exit
    await expect
      .poll(() => [pidOf('one'), pidOf('two')].map(isAlive), { timeout: 5000 })
      .toEqual([false, false])
  })

  test('launch kills a process that ignores SIGTERM after its time limit', async () => {
    const launcher = await startReady({ modes: ['stubborn'], stopWithin: 1500 })
    launcher.process.kill('SIGTERM')
    expect(await launcher.exit).toBe(0)
    expect(isAlive(pidOf('one'))).toBe(false)
  })

  test('launch kills at once on a second signal', async () => {
    const launcher = await startReady({ modes: ['stubborn'], stopWithin: 60_000 })
    launcher.process.kill('SIGTERM')
    await sleep(1200)
    launcher.process.kill('SIGTERM')
    expect(await launcher.exit).toBe(0)
    expect(isAlive(pidOf('one'))).toBe(false)
  })

  test('launch names a process that never becomes ready, and its address', async () => {
    const launcher = start({ modes: ['unready'], readyWithin: 1000 })
    expect(await launcher.exit).toBe(1)
    expect(messages(launcher)).toContain(
      `O processo "one" não ficou pronto em 1 s (http://127.0.0.1:${ports[0]}/readyz).`,
    )
    expect([pidOf('one'), pidOf('two')].map(isAlive)).toEqual([false, false])
  })

  test('launch stops with the sentence of a failed preparation', async () => {
    const prepare = [{ args: ['--eval', 'process.exit(4)'], failure: 'Não foi possível preparar os dados.' }]
    const launcher = start({ prepare })
    expect(await launcher.exit).toBe(1)
    expect(messages(launcher)).toEqual(['Não foi possível preparar os dados.'])
    expect(pidOf('one')).toBe(0)
  })

  test('launch ends a preparation on a signal, and starts nothing', async () => {
    const program = "console.error('preparing'); setInterval(() => {}, 1000)"
    const launcher = start({ prepare: [{ args: ['--eval', program], failure: 'never said' }] })
    await expect.poll(() => messages(launcher), { timeout: 20_000 }).toEqual(['preparing'])
    launcher.process.kill('SIGTERM')
    expect(await launcher.exit).toBe(0)
    expect(messages(launcher)).toEqual(['preparing', 'stopping'])
    expect(pidOf('one')).toBe(0)
  })

  test('launch adds no message when a process has explained its end', async () => {
    const launcher = start({ modes: ['explained'] })
    expect(await launcher.exit).toBe(1)
    expect(messages(launcher)).toEqual(['PORT deve ser um número.'])
  })

  test('launch logs text when the format is texto', async () => {
    const launcher = start({ modes: ['explained'], format: 'texto' })
    expect(await launcher.exit).toBe(1)
    expect(launcher.output()).toBe('PORT deve ser um número.\n')
  })

  test('launch logs a crash of the runtime as JSON, line by line', async () => {
    const launcher = start({ modes: ['unready', 'crash'] })
    expect(await launcher.exit).toBe(1)
    expect(messages(launcher).join()).toContain('heap out of memory')
    expect(messages(launcher).at(-1)).toMatch(/"two" terminou sem que fosse pedido/)
  })

  test('launch refuses a port in use in one sentence, and starts nothing', async () => {
    const other = createServer().listen(ports[0], '127.0.0.1')
    await once(other, 'listening')
    const launcher = start()
    expect(await launcher.exit).toBe(1)
    other.close()
    expect(messages(launcher)).toEqual([
      `A porta ${ports[0]}, de "one", já está em uso: feche o outro programa ou escolha outra porta.`,
    ])
    expect(pidOf('two')).toBe(0)
  })
})

interface Variation {
  modes?: string[]
  format?: Launch['format']
  prepare?: Launch['prepare']
  readyWithin?: number
  stopWithin?: number
  lowPriority?: string
  restartAfter?: number
}

function start({ modes = [], lowPriority, ...limits }: Variation = {}): Started {
  const processes = ['one', 'two'].map((name, index) => ({
    name,
    args: [
      '--max-old-space-size=32',
      join(folder, 'server.mjs'),
      String(ports[index]),
      join(folder, name),
      modes[index] ?? '',
    ],
    readyUrl: `http://127.0.0.1:${ports[index]}/readyz`,
    hasLowPriority: name === lowPriority,
  }))
  const options = JSON.stringify({ build: false, processes, format: 'json', ...limits })
  // SIGUSR2 asks for a restart of the second process.
  const program = `
    import { launch } from '${join(import.meta.dirname, 'launch.ts')}'
    const options = ${options}
    const onReady = (log, restart) => {
      process.on('SIGUSR2', () => restart(options.processes[1]).then(() => log.info('back')))
      log.info('ready')
    }
    process.exit(await launch({ ...options, onReady }))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const launcher = { process: child, output: () => output, exit }
  started.push(launcher)
  return launcher
}

async function startReady(variation?: Variation): Promise<Started> {
  const launcher = start(variation)
  await expect.poll(() => messages(launcher), { timeout: 20_000 }).toEqual(['ready'])
  return launcher
}

/** Every line is JSON, whichever process wrote it. */
const messages = ({ output }: Started): string[] =>
  output()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).msg)

/** Returns 0 when the process was never started. */
function pidOf(name: string): number {
  try {
    return Number(readFileSync(join(folder, name), 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid: number): boolean {
  try {
    // Signals to a zombie succeed too.
    return pid > 0 && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Returns the distinct nice values of the threads of a process. */
function threadPriorities(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nice = threads.map((thread) =>
    // The name may contain anything; the numbers follow its parenthesis, niceness as field 19 of
    // all.
    Number(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]),
  )
  return [...new Set(nice)]
}
