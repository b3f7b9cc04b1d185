import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { ConnectOverCDPTransport } from 'playwright-core'

/** Chromium has no usable sandbox, or an unprivileged user may not run it. */
export class NoSandboxError extends Error {}

/** User and group `nobody`: Chromium's sandbox does not work for root. */
const NOBODY = { uid: 65_534, gid: 65_534 }

/**
 * Starts Chromium sandboxed, as `nobody` if the service runs as root. Playwright's launch cannot do
 * that: it creates the profile folder and runs the browser as the service's user.
 */
export async function startChromium(executable: string, switches: string[]) {
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  const profile = await mkdtemp(join(tmpdir(), 'bi-manager-chromium-'))
  if (user) await chown(profile, user.uid, user.gid)
  const child = spawn(executable, [...switches, `--user-data-dir=${profile}`, ...CONNECTION], {
    ...user,
    cwd: '/',
    // None of the service's settings is passed on, including CHROMIUM_FLAGS.
    env: { ...kept(process.env), HOME: profile, TMPDIR: profile },
    // A separate process group: a terminal's signals reach only the service.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) yieldToReaders(child.pid)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-LONGEST_SAID)
  })
  const ended = once(child, 'close').then(
    ([code, signal]): never => {
      throw NO_SANDBOX_SAID.test(said)
        ? new NoSandboxError(
            'Chromium found no usable sandbox, because user namespaces are off on this machine, or by a switch',
          )
        : new Error(`Chromium ended (${signal ?? code}): ${said.trim().split('\n').at(-1)}`)
    },
    (error: Error & { code?: string }): never => {
      throw user && error.code === 'EACCES'
        ? new NoSandboxError(`the user nobody may not run ${executable}, and root has no sandbox`)
        : error
    },
  )
  /** Rejects when it has ended and its profile is deleted, with NoSandboxError if it had none. */
  const tidied = ended.finally(() =>
    rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined),
  )
  // Most callers await it only when they end the process.
  tidied.catch(() => undefined)
  return { child, transport: overPipes(child), ended: tidied }
}

/**
 * Lowers the priority of a new process and of those that it will start. Linux may also schedule by
 * session (autogroup, `sched(7)`): this process has its own session, whose priority is lowered too.
 */
function yieldToReaders(pid: number) {
  const niceness = constants.priority.PRIORITY_BELOW_NORMAL
  try {
    setPriority(pid, niceness)
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness))
  } catch {
    // The process has already ended, or this system has no autogroup: exports work all the same.
  }
}

const LONGEST_SAID = 4000
/** Chromium's messages without user namespaces: without and with an unprivileged setuid helper. */
const NO_SANDBOX_SAID = /no usable sandbox|SUID sandbox helper binary was found, but is not configured/i
const CONNECTION = ['--remote-debugging-pipe', '--no-startup-window']

const kept = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => /^(PATH|TZ|LANG|LC_\w+|FONTCONFIG_\w+)$/.test(name)),
  )

/** Returns a transport of NUL-terminated CDP messages over file descriptors 3 and 4. */
function overPipes({ stdio }: ChildProcess): ConnectOverCDPTransport {
  const [input, output] = [stdio[3] as Writable, stdio[4] as Readable]
  const transport: ConnectOverCDPTransport = {
    send: (message) => void input.write(`${JSON.stringify(message)}\0`),
    close: () => input.end(),
  }
  let pieces: Buffer[] = []
  output.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const message = Buffer.concat([...pieces, chunk.subarray(from, end)])
      pieces = []
      from = end + 1
      // One per turn, as in Playwright's pipe: awaiting code must run before the next message.
      setImmediate(() => transport.onmessage?.(JSON.parse(message.toString())))
    }
    pieces.push(chunk.subarray(from))
  })
  output.on('close', () => setImmediate(() => transport.onclose?.()))
  // The pipes' end is handled as the end of the process.
  for (const pipe of [input, output]) pipe.on('error', () => undefined)
  return transport
}
