import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { constants, getPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger, type LogFormat } from '@bi-manager/telemetry/logging'
import { logCrashes } from '@bi-manager/telemetry/process-log'

export interface LaunchedProcess {
  /** As the person who started it would call it, in Portuguese. */
  name: string
  /** Arguments of this same Node. */
  args: string[]
  env?: Record<string, string | undefined>
  /** Answers 200 once the process can be used. Its port must be free before the start. */
  readyUrl: string
  /** The other processes get the processor first. */
  hasLowPriority?: boolean
}

export interface Preparation {
  /** Arguments of this same Node. */
  args: string[]
  /** The Portuguese sentence for when it fails; the program itself has told why. */
  failure: string
}

export interface Launch {
  processes: LaunchedProcess[]
  /** Builds the pages that are stale first. */
  build: boolean
  /** Programs that must end well before the start; they run while the pages are built. */
  prepare?: Preparation[]
  format: LogFormat
  onReady: (log: Log) => void
  /** Milliseconds until every process must be ready. */
  readyWithin?: number
  /** Milliseconds that processes have to end after the signal, before SIGKILL. */
  stopWithin?: number
  /** Milliseconds before a process that ended by itself starts again; doubled each time, up to a minute. */
  restartAfter?: number
}

export type Log = ReturnType<typeof createLogger>

/** A child that ends with this code has told the person why, in a sentence of its own. */
const explainedExit = 78

/** A person's Ctrl+C reaches us twice, from the terminal and through npm; later than this it means "now". */
const sameSignalMs = 1000

/**
 * Runs the processes together until a signal stops them all. Once all were ready, one that ends by itself is started again;
 * before that, it ends the others too. They hold an IPC channel, so that they notice when this process is killed.
 * @returns the exit code: 0 after a signal, 1 after a failure, which has been told in one sentence
 */
export async function launch({
  processes,
  build,
  format,
  prepare = [],
  onReady,
  readyWithin = 120_000,
  stopWithin = 40_000,
  restartAfter = 1000,
}: Launch): Promise<number> {
  const log = createLogger({ service: 'npm', level: 'info', format })
  logCrashes(log)
  const children: Children = { running: new Map(), log, format }
  const halt = new AbortController()
  const signals = stopSignals(halt, children)
  const { stopped } = signals
  try {
    const busy = await busyPort(processes)
    if (busy) throw new LaunchError(busy)
    const preparations = [...prepare, ...(build ? await buildPreparation(log) : [])]
    await Promise.race([stopped, Promise.all(preparations.map((item) => runToEnd(item, children)))])
    if (!halt.signal.aborted) {
      let areReady = false
      const restart = { restartAfter, halt: halt.signal, areReady: () => areReady }
      const died = processes.map((item) => keepRunning(item, children, restart))
      const ready = Promise.all(processes.map((item) => untilReady(item, readyWithin, halt.signal)))
      await Promise.race([ready, stopped, ...died])
      areReady = true
      if (!halt.signal.aborted) onReady(log)
      await Promise.race([stopped, ...died])
    }
    return 0
  } catch (error) {
    if (halt.signal.aborted) return 0
    if (!(error instanceof LaunchError)) throw error
    if (error.message) log.fatal(error.message)
    return 1
  } finally {
    halt.abort()
    await endAll(children, signals.received(), stopWithin)
  }
}

class LaunchError extends Error {}

interface Children {
  running: Map<string, ChildProcess>
  log: Log
  format: LogFormat
}

interface StopSignals {
  stopped: Promise<void>
  /** What ends the children: the signal that came, SIGTERM where none did. */
  received: () => NodeJS.Signals
}

function stopSignals(halt: AbortController, { running, log }: Children): StopSignals {
  let first: NodeJS.Signals = 'SIGTERM'
  const stopped = new Promise<void>((resolve) => {
    let firstAt: number | undefined
    const stop = (reason: string) => {
      if (!halt.signal.aborted) log.info({ reason }, 'stopping')
      halt.abort()
      resolve()
    }
    // npm forwards signals, but cannot forward its own kill -9. Elsewhere a parent may end and leave us on purpose.
    const parent = process.ppid
    const watch = setInterval(() => process.ppid !== parent && stop('npm ended'), 500).unref()
    if (!process.env.npm_lifecycle_event) clearInterval(watch)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (firstAt === undefined && signal === 'SIGINT') first = signal
        firstAt ??= Date.now()
        if (Date.now() - firstAt > sameSignalMs) for (const child of running.values()) child.kill('SIGKILL')
        stop(signal)
      })
    }
  })
  return { stopped, received: () => first }
}

async function buildPreparation(log: Log): Promise<Preparation[]> {
  const { hasBuildTools, staleTargets } = await import('./build.ts')
  // An installation without build tools has the pages that were built before they were taken away.
  if (!hasBuildTools() || staleTargets().length === 0) return []
  log.info('Preparando as páginas…')
  return [{ args: [`${import.meta.dirname}/build.ts`], failure: 'Não foi possível preparar as páginas.' }]
}

/** In a process of its own, because its memory would otherwise stay with us for as long as we run. */
async function runToEnd({ args, failure }: Preparation, children: Children): Promise<void> {
  const { running } = children
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', stderrOf(children)] })
  logErrors(child, { ...children, name: 'preparação' })
  running.set(failure, child)
  const [code] = await once(child, 'exit')
  running.delete(failure)
  if (code !== 0) throw new LaunchError(failure)
}

const longestPauseMs = 60_000
/** A process that ran this long is healthy: the pauses start over. */
const healthyAfterMs = 600_000

interface Restart {
  restartAfter: number
  halt: AbortSignal
  areReady: () => boolean
}

/** Runs a process, again and again. @returns a promise that only rejects: when the process ends before all were ready */
function keepRunning(
  item: LaunchedProcess,
  children: Children,
  { restartAfter, halt, areReady }: Restart,
): Promise<never> {
  const run = async (): Promise<never> => {
    for (let pause = restartAfter; ; pause = Math.min(pause * 2, longestPauseMs)) {
      const startedAt = Date.now()
      const how = await runOnce(item, children)
      halt.throwIfAborted()
      const sentence = `O processo "${item.name}" terminou sem que fosse pedido (${how.text})`
      if (!areReady()) throw new LaunchError(how.isExplained ? '' : `${sentence}; os demais foram parados.`)
      if (Date.now() - startedAt > healthyAfterMs) pause = restartAfter
      children.log.error(`${sentence}; começa de novo em ${(pause / 1000).toLocaleString('pt-BR')} s.`)
      await sleep(pause, undefined, { signal: halt })
    }
  }
  const failed = run()
  // Its end after a signal is no failure.
  failed.catch(() => {})
  return failed
}

interface Ending {
  text: string
  /** The process has told the person the reason. */
  isExplained: boolean
}

function runOnce(item: LaunchedProcess, children: Children): Promise<Ending> {
  // Detached: a Ctrl+C in the terminal reaches us alone, and we tell the children once, in good order.
  const [command, args] = item.hasLowPriority
    ? behindOthers(process.execPath, item.args)
    : [process.execPath, item.args]
  const child = spawn(command, args, {
    env: item.env ?? process.env,
    stdio: ['ignore', 'inherit', stderrOf(children), 'ipc'],
    detached: true,
  })
  logErrors(child, { ...children, name: item.name })
  children.running.set(item.name, child)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new LaunchError(`${item.name}: ${error.message}`)))
    child.once('exit', (code, signal) => {
      children.running.delete(item.name)
      resolve({ text: signal ? `sinal ${signal}` : `código ${code}`, isExplained: code === explainedExit })
    })
  })
}

/** The services log to standard output. What else writes to the other one, the runtime when it crashes, is text. */
const stderrOf = ({ format }: Children) => (format === 'json' ? 'pipe' : 'inherit')

function logErrors({ stderr }: ChildProcess, { log, name }: Children & { name: string }): void {
  if (stderr) createInterface({ input: stderr }).on('line', (line) => log.error({ of: name }, line))
}

/**
 * A command whose process gives way to the others. `nice` lowers the priority before the program has any thread: lowered
 * afterwards, it misses the threads that exist by then.
 */
export function behindOthers(program: string, args: string[]): [command: string, args: string[]] {
  const lower = constants.priority.PRIORITY_BELOW_NORMAL - getPriority()
  if (process.platform === 'win32' || lower <= 0) return [program, args]
  return ['nice', ['-n', String(lower), program, ...args]]
}

async function untilReady(item: LaunchedProcess, within: number, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + within; Date.now() < deadline && !signal.aborted; await sleep(100)) {
    if (await answers(item.readyUrl)) return
  }
  if (signal.aborted) return
  throw new LaunchError(
    `O processo "${item.name}" não ficou pronto em ${Math.round(within / 1000)} s (${item.readyUrl}).`,
  )
}

/** With an agent of its own, so that a proxy set for Node is not asked for the loopback address. */
function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: new Agent(), timeout: 5000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

async function busyPort(processes: LaunchedProcess[]): Promise<string | undefined> {
  for (const { name, readyUrl } of processes) {
    const { hostname, port } = new URL(readyUrl)
    // A server on localhost takes the port on both loopback addresses.
    const hosts = hostname === 'localhost' ? ['127.0.0.1', '::1'] : [hostname.replace(/^\[|\]$/g, '')]
    const taken = await Promise.all(hosts.map((host) => isTaken(host, Number(port))))
    if (taken.includes(true)) {
      return `A porta ${port}, de "${name}", já está em uso: feche o outro programa ou escolha outra porta.`
    }
  }
  return undefined
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}

async function endAll({ running, log }: Children, signal: NodeJS.Signals, within: number): Promise<void> {
  await Promise.all(
    [...running].map(async ([name, child]) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const killer = setTimeout(() => {
        log.error(`O processo "${name}" não terminou em ${within / 1000} s e foi morto.`)
        child.kill('SIGKILL')
      }, within)
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
      clearTimeout(killer)
    }),
  )
}
