import { type ChildProcess, execFile, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { LENGTH_BYTES } from './answer-contained.ts'
import { printErrorsOf } from './process-log.ts'
import { preferAsOomVictim, watchMemory } from './process-memory.ts'

/*
 * Runs a program on one input in a process of its own, and returns its one answer. Bytes go over
 * plain pipes: what a program writes to Node's own channel would be parsed outside any `catch`.
 */

/**
 * - `time`, `memory`: it exceeded a limit, also one of the machine
 * - `crash`: it ended in another way while it worked
 * - `malformed`: what it said is no answer
 * - `failure`: it does not work, whatever the input
 * - `uncontained`: this machine cannot contain it, until an administrator acts
 */
export type ContainedFault = 'time' | 'memory' | 'crash' | 'malformed' | 'failure' | 'uncontained'

export class ContainedError extends Error {
  override readonly name = 'ContainedError'
  readonly fault: ContainedFault
  constructor(fault: ContainedFault, message: string) {
    super(message)
    this.fault = fault
  }
}

interface Containment {
  /** Resident megabytes; watched on Linux. */
  memoryMegabytes: number
  /** Megabytes of JavaScript's heap. */
  heapMegabytes?: number
  /** Milliseconds from the input to the answer. */
  timeMs: number
  usesAddons?: boolean
  /** Open descriptors that the program has as `FIRST_FILE` and the next ones. */
  files?: number[]
}

interface Options<Answer> {
  /** Validates the answer: the input may have taken over the process. */
  answer: { safeParse: (said: unknown) => { data?: Answer | undefined } }
  /** 'none': the program and its input are the service's own, so it may do what the service may. */
  containment: Containment | 'none'
  signal?: AbortSignal | undefined
  /** Milliseconds that a process started ahead waits for the next input; 0: none is started. */
  aheadMs?: number
}

/** Milliseconds until the code of a program is loaded. */
const LOAD_MS = 20_000
const MALFORMED = 'it gave a malformed answer'
const MAX_ANSWER_BYTES = 2 ** 29

/**
 * A contained program may read its code, write nothing and start nothing (Node's permission model),
 * and has no environment. Once it is loaded the kernel refuses it files and sockets, native code
 * included, and more time of the processor. Only then does it get its input.
 * @throws ContainedError; the signal's reason
 */
export const runContained = async <Answer>(
  program: string,
  input: unknown,
  { answer, containment, signal, aheadMs = 0 }: Options<Answer>,
): Promise<Answer> => {
  signal?.throwIfAborted()
  const key = JSON.stringify([program, containment])
  const running = (await takeAhead(key)) ?? (await start(program, containment))
  try {
    const said = await running.answer(input, containment === 'none' ? 0 : containment.timeMs, signal)
    if ('failure' in said) throw running.errorOf('failure', said.failure)
    const { data } = answer.safeParse(said.answer)
    if (data === undefined) throw running.errorOf('malformed', MALFORMED)
    return data
  } finally {
    if (aheadMs > 0 && !ahead.has(key)) startAhead(key, start(program, containment), aheadMs)
  }
}

type Running = Awaited<ReturnType<typeof start>>

const start = async (program: string, containment: Containment | 'none') => {
  const isFree = containment === 'none'
  const child = spawn(process.execPath, [...(isFree ? [] : flagsOf(containment)), program], {
    // libvips would decode an image of more than 100 MiB into a file.
    env: isFree ? process.env : { VIPS_DISC_THRESHOLD: '1g' },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...(isFree ? [] : (containment.files ?? []))],
  })
  const [stdin, , stderr, answers] = child.stdio as unknown as [Socket, null, Socket, Socket]
  const handles = [child, stdin, stderr, answers]
  let fault: ContainedFault | undefined
  const kill = (why?: ContainedFault) => {
    fault ??= why
    child.kill('SIGKILL')
  }
  let spoken = ''
  if (isFree) printErrorsOf(child)
  else
    stderr.on('data', (chunk) => {
      if (spoken.length < 10_000) spoken += chunk
    })
  const written: Buffer[] = []
  let bytes = 0
  answers.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) kill('malformed')
    else written.push(chunk)
  })
  // It may end before it has read everything.
  stdin.on('error', () => {})
  answers.on('error', () => {})
  let stopWatching = () => {}
  if (child.pid !== undefined && !isFree) {
    void preferAsOomVictim(child.pid)
    const most = containment.memoryMegabytes * 1_000_000
    stopWatching = watchMemory(child.pid, most, () => kill('memory'))
  }
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  }).finally(() => stopWatching())

  const errorOf = (why: ContainedFault, message: string) => {
    const end = `(code ${child.exitCode}, signal ${child.signalCode})`
    return new ContainedError(why, `${basename(program)} ${end}: ${message}`)
  }

  /** Waits for the end, and returns what the process has said. */
  const answer = async (input: unknown, timeMs: number, signal?: AbortSignal): Promise<Said> => {
    for (const handle of handles) handle.ref()
    const abort = () => kill()
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    const timer = timeMs > 0 ? setTimeout(() => kill('time'), timeMs) : undefined
    const message = serialize(input)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUIntBE(message.length, 0, LENGTH_BYTES)
    stdin.write(length)
    stdin.write(message)
    spoken = ''
    await closed
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    signal?.throwIfAborted()
    if (fault === 'malformed') throw errorOf(fault, MALFORMED)
    if (fault) throw errorOf(fault, `it was out of ${fault}`)
    // The first byte says that it is loaded.
    const said = bytes > 1 ? saidIn(Buffer.concat(written).subarray(1)) : undefined
    if (said) return said
    if (bytes > 1) throw errorOf('malformed', MALFORMED)
    // Linux kills what takes the memory of the machine; V8 and C++ abort when they get none.
    const isOut = child.signalCode === 'SIGKILL' || /out of memory|bad_alloc/i.test(spoken)
    throw errorOf(isOut ? 'memory' : 'crash', 'it ended without an answer')
  }

  const timer = setTimeout(kill, LOAD_MS)
  await Promise.race([new Promise((resolve) => answers.once('data', resolve)), closed])
  clearTimeout(timer)
  try {
    // What it prints later may be from its input.
    if (bytes === 0) throw errorOf('failure', `it did not load: ${spoken}`)
    if (!isFree) await limit(child, containment.timeMs)
  } catch (error) {
    kill()
    await closed
    throw error instanceof ContainedError ? error : errorOf('failure', String(error))
  }
  return { child, handles, kill, answer, errorOf }
}

type Said = { answer: unknown } | { failure: string }

const saidIn = (bytes: Buffer): Said | undefined => {
  try {
    const said = deserialize(bytes)
    return 'failure' in said ? { failure: String(said.failure).slice(0, 10_000) } : said
  } catch {
    return undefined
  }
}

/** DATA_DIR may be inside the project, so the project's root is not among these. */
const code = ['contract', 'reports', 'server', 'telemetry']
  .flatMap((name) => [`../../${name}/src/`, `../../${name}/package.json`, `../../${name}/node_modules/`])
  .concat('../../../package.json', '../../../node_modules/')
  .map((path) => `--allow-fs-read=${fileURLToPath(new URL(path, import.meta.url))}`)

const flagsOf = ({ usesAddons, heapMegabytes }: Containment) => [
  '--permission',
  ...code,
  ...(usesAddons ? ['--allow-addons'] : []),
  ...(heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`]),
]

/**
 * Denies a loaded process every new file descriptor, and more than twice its time on the processor,
 * which also ends it when the service has ended. Other systems than Linux lack these limits, so it
 * only warns.
 */
const limit = async ({ pid }: ChildProcess, timeMs: number): Promise<void> => {
  const seconds = Math.ceil((2 * timeMs) / 1_000) + 1
  try {
    await promisify(execFile)('prlimit', ['--pid', `${pid}`, '--nofile=0:0', `--cpu=${seconds}:${seconds}`])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    if (process.platform === 'linux') {
      const message = 'prlimit is missing: install the package util-linux. Uploads are refused.'
      throw new ContainedError('uncontained', message)
    }
    process.emitWarning('This system has no prlimit: what parses uploads could reach the network.', {
      code: 'BI_MANAGER_NO_PRLIMIT',
    })
  }
}

/** Processes that have had no input, so that the next input need not wait for their start. */
const ahead = new Map<string, { starting: Promise<Running | undefined>; timer: NodeJS.Timeout }>()

const startAhead = (key: string, started: Promise<Running>, ms: number): void => {
  // The error is thrown when the next input needs a process.
  const starting = started.catch(() => undefined)
  // An awaited answer keeps the service running; an idle process does not.
  starting.then((running) => {
    for (const handle of running?.handles ?? []) handle.unref()
  })
  const end = () => {
    ahead.delete(key)
    starting.then((running) => running?.kill())
  }
  ahead.set(key, { starting, timer: setTimeout(end, ms).unref() })
}

const takeAhead = async (key: string): Promise<Running | undefined> => {
  const next = ahead.get(key)
  if (!next) return undefined
  clearTimeout(next.timer)
  ahead.delete(key)
  const running = await next.starting
  return running?.child.exitCode === null && running.child.signalCode === null ? running : undefined
}
