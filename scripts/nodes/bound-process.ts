import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Owner } from '../machines/postgres.ts'

/**
 * Starts a program that the kernel ends when this process ends, even by kill -9.
 * @param options `owner`: the account to run as, when the program refuses root
 */
export const spawnBound = (
  command: string,
  args: string[],
  options: { env?: Record<string, string | undefined>; cwd?: string; owner?: Owner | undefined } = {},
): ChildProcess => {
  const { env = process.env, cwd, owner } = options
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

export type Supervised = ReturnType<typeof supervise>

/** Restarts a program one second after it ends, like systemd's `Restart=always`. */
export const supervise = (start: () => ChildProcess) => {
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
    /** How many times it was started. */
    starts: () => starts,
    /** Returns the last 20,000 characters printed by all its processes. */
    output: () => output,
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      isStopping = true
      await endProcess(child, signal)
    },
  }
}
