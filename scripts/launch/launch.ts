import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { constants, getPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger, type LogFormat } from '@bi-manager/telemetry/logging'
import { logCrashes } from '@bi-manager/telemetry/process-log'
import { isTaken } from '../machines/ports.ts'

export interface LaunchedProcess {
  /** The Portuguese name for messages. */
  name: string
  /** Arguments for the same Node. */
  args: string[]
  env?: Record<string, string | undefined>
  /** Returns 200 once the process is usable. Its port must be free before the start. */
  readyUrl: string
  /** The other processes get the processor first. */
  hasLowPriority?: boolean
}

export interface Preparation {
  /** Arguments for the same Node. */
  args: string[]
  /** The Portuguese sentence when it fails; the program itself has printed why. */
  failure: string
}

export interface Launch {
  processes: LaunchedProcess[]
  /** Builds stale pages first. */
  build: boolean
  /** Programs that must succeed before the start; they run in parallel to the build. */
  prepare?: Preparation[]
  format: LogFormat
  onReady: (log: Log, restart: Restart) => void
  /** Milliseconds until every process must be ready. */
  readyWithin?: number
  /** Milliseconds between the stop signal and SIGKILL. */
  stopWithin?: number
  /** Milliseconds before a process that ended is restarted; doubled each time, up to a minute. */
  restartAfter?: number
}

type Log = ReturnType<typeof createLogger>

/** Ends a process, starts it again without a pause, and resolves once it is ready. */
export type Restart = (item: LaunchedProcess) => Promise<void>

/** A child that exits with this code has printed a sentence with the reason. */
const explainedExit = 78

/** Ctrl+C arrives twice, from the terminal and through npm; a later one means "kill now". */
const sameSignalMs = 1000

/**
 * Runs the processes together until a signal stops them all. After all were ready, a process that
 * ends is restarted; before, its end stops the others. An IPC channel lets them notice when this
 * process is killed.
 * @returns the exit code: 0 after a signal, 1 after a failure, which has been printed
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
  const children: Children = { running: new Map(), replacements: new Map(), log, format }
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
      const rules = { restartAfter, halt: halt.signal, areReady: () => areReady }
      const died = processes.map((item) => keepRunning(item, children, rules))
      const ready = Promise.all(processes.map((item) => untilReady(item, readyWithin, halt.signal)))
      await Promise.race([ready, stopped, ...died])
      areReady = true
      const restart = async (item: LaunchedProcess) => {
        await replace(item, children)
        await untilReady(item, readyWithin, halt.signal)
      }
      if (!halt.signal.aborted) onReady(log, restart)
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
  /** Aborted for a process that must start again without a pause. */
  replacements: Map<string, AbortController>
  log: Log
  format: LogFormat
}

function stopSignals(halt: AbortController, { running, log }: Children) {
  let first: NodeJS.Signals = 'SIGTERM'
  const stopped = new Promise<void>((resolve) => {
    let firstAt: number | undefined
    const stop = (reason: string) => {
      if (!halt.signal.aborted) log.info({ reason }, 'stopping')
      halt.abort()
      resolve()
    }
    // npm forwards signals, but not its own kill -9. Without npm, a parent may exit on purpose.
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
  return {
    stopped,
    /** The signal for the children: the one received, otherwise SIGTERM. */
    received: () => first,
  }
}

async function buildPreparation(log: Log): Promise<Preparation[]> {
  const { hasBuildTools, staleTargets } = await import('./build-pages.ts')
  // An installation without build tools contains the built pages.
  if (!hasBuildTools() || staleTargets().length === 0) return []
  log.info('Preparando as páginas…')
  return [
    { args: [`${import.meta.dirname}/build-pages.ts`], failure: 'Não foi possível preparar as páginas.' },
  ]
}

/** Runs in a separate process, since its memory would otherwise stay with the launcher. */
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
/** A process that ran this long counts as healthy: the pauses start over. */
const healthyAfterMs = 600_000

/** Runs a process repeatedly. @returns a promise that rejects if it ends before all are ready */
function keepRunning(
  item: LaunchedProcess,
  children: Children,
  { restartAfter, halt, areReady }: { restartAfter: number; halt: AbortSignal; areReady: () => boolean },
): Promise<never> {
  const run = async (): Promise<never> => {
    for (let pause = restartAfter; ; pause = Math.min(pause * 2, longestPauseMs)) {
      const startedAt = Date.now()
      const replaced = new AbortController()
      children.replacements.set(item.name, replaced)
      const how = await runOnce(item, children)
      halt.throwIfAborted()
      if (replaced.signal.aborted) continue
      const sentence = `O processo "${item.name}" terminou sem que fosse pedido (${how.text})`
      if (!areReady()) throw new LaunchError(how.isExplained ? '' : `${sentence}; os demais foram parados.`)
      if (Date.now() - startedAt > healthyAfterMs) pause = restartAfter
      children.log.error(`${sentence}; começa de novo em ${(pause / 1000).toLocaleString('pt-BR')} s.`)
      await sleep(pause, undefined, { signal: AbortSignal.any([halt, replaced.signal]) }).catch(() => {})
      halt.throwIfAborted()
    }
  }
  const failed = run()
  // Its end after a signal is not a failure.
  failed.catch(() => {})
  return failed
}

async function replace({ name }: LaunchedProcess, { running, replacements }: Children): Promise<void> {
  const child = running.get(name)
  replacements.get(name)?.abort()
  if (!child) return
  const gone = once(child, 'exit')
  child.kill('SIGINT')
  await gone
}

/** Runs a process until it ends. @returns how, and whether it has printed the reason */
async function runOnce(item: LaunchedProcess, children: Children) {
  // Detached: Ctrl+C in the terminal reaches only the launcher, which then signals the children
  // once.
  const [command, args] = item.hasLowPriority
    ? withLowPriority(process.execPath, item.args)
    : [process.execPath, item.args]
  const child = spawn(command, args, {
    env: item.env ?? process.env,
    stdio: ['ignore', 'inherit', stderrOf(children), 'ipc'],
    detached: true,
  })
  logErrors(child, { ...children, name: item.name })
  children.running.set(item.name, child)
  const [code, signal] = await once(child, 'exit').catch((error: Error) => {
    throw new LaunchError(`${item.name}: ${error.message}`)
  })
  children.running.delete(item.name)
  return { text: signal ? `sinal ${signal}` : `código ${code}`, isExplained: code === explainedExit }
}

/** Services log to standard output; standard error has text, such as a crash of the runtime. */
const stderrOf = ({ format }: Children) => (format === 'json' ? 'pipe' : 'inherit')

function logErrors({ stderr }: ChildProcess, { log, name }: Children & { name: string }): void {
  if (stderr) createInterface({ input: stderr }).on('line', (line) => log.error({ of: name }, line))
}

/**
 * Returns a command that runs at low priority. `nice` lowers it before the program has threads;
 * lowering it later would miss existing threads.
 */
export function withLowPriority(program: string, args: string[]): [command: string, args: string[]] {
  const lower = constants.priority.PRIORITY_BELOW_NORMAL - getPriority()
  if (process.platform === 'win32' || lower <= 0) return [program, args]
  return ['nice', ['-n', String(lower), program, ...args]]
}

/** Resolves once the process answers or the signal aborts. @throws LaunchError when it is late */
export async function untilReady(item: LaunchedProcess, within: number, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + within; Date.now() < deadline && !signal.aborted; await sleep(100)) {
    if (await answers(item.readyUrl)) return
  }
  if (signal.aborted) return
  throw new LaunchError(
    `O processo "${item.name}" não ficou pronto em ${Math.round(within / 1000)} s (${item.readyUrl}).`,
  )
}

/** A separate agent, so that a proxy configured for Node is not used for loopback. */
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
    // A server on localhost binds both loopback addresses.
    const hosts = hostname === 'localhost' ? ['127.0.0.1', '::1'] : [hostname.replace(/^\[|\]$/g, '')]
    const taken = await Promise.all(hosts.map((host) => isTaken(host, Number(port))))
    if (taken.includes(true)) {
      return `A porta ${port}, de "${name}", já está em uso: feche o outro programa ou escolha outra porta.`
    }
  }
  return undefined
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
