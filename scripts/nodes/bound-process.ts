import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

interface Options {
  env?: Record<string, string | undefined>
  cwd?: string
  /** The account to run as, when root is refused by the program. */
  owner?: Owner | undefined
}

export interface Owner {
  uid: number
  gid: number
}

/** Returns the account for programs that refuse to run as root; undefined when not root. */
export const unprivileged = (): Owner | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  return id('-u').status === 0
    ? { uid: Number(id('-u').stdout), gid: Number(id('-g').stdout) }
    : { uid: 65_534, gid: 65_534 }
}

/** Starts a program that the kernel ends when this process ends, even by kill -9. */
export const spawnBound = (
  command: string,
  args: string[],
  { env = process.env, cwd, owner }: Options = {},
): ChildProcess => {
  const account = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : []
  return spawn('setpriv', [...account, '--pdeathsig', 'TERM', '--', command, ...args], {
    env,
    ...(cwd ? { cwd } : {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

export const endProcess = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/**
 * Waits until the condition holds.
 * @throws Error after `limitMs`
 */
export const until = async (
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> => {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(25)) {
    if (await condition()) return
  }
  throw new Error(`Not within ${limitMs} ms: ${what}.`)
}

export interface Supervised {
  readonly child: ChildProcess
  /** How many times it was started. */
  starts: () => number
  /** Returns the last 20,000 characters printed by all its processes. */
  output: () => string
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

/** Restarts a program one second after it ends, like systemd's `Restart=always`. */
export const supervise = (start: () => ChildProcess): Supervised => {
  let isStopping = false
  let starts = 0
  let output = ''
  let child: ChildProcess
  const run = () => {
    starts += 1
    child = start()
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code, signal) => {
      output += `[${new Date().toISOString()} ended: ${signal ?? code}]\n`
      if (!isStopping) setTimeout(() => !isStopping && run(), 1000)
    })
  }
  run()
  return {
    get child() {
      return child
    },
    starts: () => starts,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      isStopping = true
      await endProcess(child, signal)
    },
  }
}
