import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printErrorsOf } from '@bi-manager/telemetry/process-log'
import { preferAsOomVictim, watchMemory } from '@bi-manager/telemetry/process-memory'
import { type NotNumber, restoreNotNumbers } from '../columns/not-numbers.ts'
import {
  AnswerTooLarge,
  type Database,
  DatabaseClosed,
  type Limits,
  LOAD_MS,
  type Origin,
  type Parameters,
  type Rows,
  roomFor,
  type Storage,
  withTimeLimit,
} from './database.ts'
import { createEndCounts } from './end-counts.ts'
import { isAlive } from './is-alive.ts'

/*
 * Runs all databases in one child process, whose end is no end of the service. Data is in files, so
 * that a new process serves again at once. A process that exceeds its memory, or that ignores an
 * interrupt, is killed. Its other statements run once more, one at a time, so that a second end
 * identifies the statement that causes it.
 */

export type Command =
  | { do: 'open'; limits: Limits & Storage; roomMegabytes?: number | undefined }
  | { do: 'query'; sql: string; values: Parameters }
  | { do: 'load'; sql: string }
  | { do: 'createTable'; table: string; select: string }
  | { do: 'seal'; roomMegabytes: number | undefined }
  | { do: 'close' }
export type Message = { id: number; database: number; command: Command } | { abort: number }
/** `text` is JSON, without `notNumbers`; `error.name` is the name of the class. */
export type Answer =
  | { id: number; text: string; notNumbers?: NotNumber[] }
  | { id: number; error: { name: string; message: string } }

/** The origin's statements have ended the process too often. */
export class QueryRefused extends Error {}

export type ProcessEnd = { reason: 'memory' | 'time' | 'crash'; signal: string | null }
type Options = {
  /** REPORTS_MEMORY_MB. The process is killed above this, the room of queries, and its own need. */
  memoryMegabytes: number
  /** Milliseconds in which a statement must obey an interrupt. */
  graceMs?: number
  /** Called when the process has ended by itself or was killed; it is started again. */
  onEnded?: (end: ProcessEnd) => void
}
type Task = {
  id: number
  database: number
  command: Command
  signal: AbortSignal
  origin: Origin | undefined
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  isRepeated: boolean
  /** It ran when the process ended: another end while it runs alone counts twice. */
  isSuspect: boolean
}

const MAIN = fileURLToPath(new URL('./database-process-main.ts', import.meta.url))
const FOLDER = 'bi-manager-relatorios-'
/** Megabytes of Node, of DuckDB's code, and of answers on their way. */
const OWN_MEGABYTES = 512
/** Returns the resident megabytes above which the process is killed. */
export const processMegabytes = (memoryMegabytes: number) =>
  memoryMegabytes + roomFor(memoryMegabytes) + OWN_MEGABYTES
/** Milliseconds before another start of a process that ended before it answered anything. */
const PAUSE_MS = 1000

export type DatabaseProcess = ReturnType<typeof createDatabaseProcess>

export function createDatabaseProcess({ memoryMegabytes, graceMs = 2000, onEnded = () => {} }: Options) {
  removeLeftovers()
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`))
  own.add(basename(folder))
  /** Sealed databases, which a new process opens again. */
  const sealed = new Map<number, Command & { do: 'open' }>()
  const loading = new Set<number>()
  /** Databases that were being loaded when the process ended. */
  const lost = new Map<number, ProcessEnd['reason']>()
  const ends = createEndCounts()
  const running = new Map<number, Task>()
  let waiting: Task[] = []
  const suspects: Task[] = []
  let alone: Task | undefined
  let child: ChildProcess | undefined
  let killed: { reason: 'memory' | 'time'; culprit?: Task } | undefined
  let isClosing = false
  let lastId = 0

  function start() {
    const started = fork(MAIN, [folder], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child = started
    printErrorsOf(started)
    let hasAnswered = false
    let stopWatching = () => {}
    if (started.pid !== undefined) {
      void preferAsOomVictim(started.pid)
      stopWatching = watchMemory(started.pid, processMegabytes(memoryMegabytes) * 1_000_000, () =>
        kill({ reason: 'memory' }),
      )
    }
    started.on('message', (answer: Answer) => {
      hasAnswered = true
      settle(answer)
    })
    let hasEnded = false
    const end = (_code: unknown, signal: string | null = null) => {
      if (hasEnded) return
      hasEnded = true
      stopWatching()
      afterEnd(signal)
      if (isClosing) return
      if (hasAnswered) start()
      else setTimeout(() => !isClosing && start(), PAUSE_MS).unref()
    }
    started.once('exit', end)
    started.once('error', end)
    for (const [database, command] of sealed) send({ id: 0, database, command })
    pump()
  }

  const send = (message: Message) => void child?.send(message, () => {})

  function kill(why: typeof killed) {
    killed ??= why
    child?.kill('SIGKILL')
  }

  function submit(
    database: number,
    command: Command,
    signal: AbortSignal,
    origin?: Origin,
  ): Promise<unknown> {
    signal.throwIfAborted()
    if (isClosing) throw new DatabaseClosed('the database process is closed')
    const reason = lost.get(database)
    if (reason) throw endedBy(reason)
    return new Promise((resolve, reject) => {
      const task = { id: ++lastId, database, command, signal, origin, isRepeated: false, isSuspect: false }
      waiting.push({ ...task, resolve, reject })
      pump()
    })
  }

  /** Sends the waiting tasks, or one suspect when no other runs. */
  function pump() {
    if (!child) return
    if (alone || suspects.length > 0) {
      if (running.size > 0) return
      alone = suspects.shift()
      if (alone) begin(alone)
      return
    }
    const tasks = waiting
    waiting = []
    for (const task of tasks) begin(task)
  }

  function begin(task: Task) {
    const { id, database, command, signal } = task
    if (signal.aborted) return finish(task, () => task.reject(signal.reason))
    running.set(id, task)
    signal.addEventListener('abort', () => interrupt(task), { once: true })
    send({ id, database, command })
  }

  function interrupt(task: Task) {
    if (running.get(task.id) !== task) return
    send({ abort: task.id })
    setTimeout(() => {
      if (running.get(task.id) === task) kill({ reason: 'time', culprit: task })
    }, graceMs).unref()
  }

  function finish(task: Task, settleIt: () => void) {
    running.delete(task.id)
    if (alone === task) alone = undefined
    settleIt()
    pump()
  }

  function settle(answer: Answer) {
    const task = running.get(answer.id)
    if (!task) return
    finish(task, () => {
      if ('text' in answer) task.resolve(resultOf(answer))
      else task.reject(task.signal.aborted ? task.signal.reason : errorOf(answer.error))
    })
  }

  function afterEnd(signal: string | null) {
    const { reason = 'crash' as const, culprit } = killed ?? {}
    const tasks = [...running.values()]
    running.clear()
    alone = undefined
    killed = undefined
    child = undefined
    if (!isClosing) onEnded({ reason, signal })
    // Of several statements, the repetition tells which one it was.
    const cause = culprit ?? (tasks.length === 1 ? tasks[0] : undefined)
    for (const task of tasks) {
      const { database, command, origin, isRepeated } = task
      const isComplete = command.do === 'query' ? sealed.has(database) : command.do === 'open'
      const mayRepeat = isComplete && !isRepeated && !isClosing && !task.signal.aborted
      if (mayRepeat) suspects.push({ ...task, isRepeated: true, isSuspect: !culprit })
      else if (task.signal.aborted) task.reject(task.signal.reason)
      else if (command.do === 'close') task.resolve(undefined)
      else task.reject(isClosing ? new DatabaseClosed('the database process is closed') : endedBy(reason))
      if (origin && task === cause && !mayRepeat && !isClosing) ends.add(origin, task.isSuspect ? 2 : 1)
    }
    for (const database of loading) lost.set(database, reason)
    loading.clear()
  }

  const execute = (database: number, most: AbortSignal | number, command: Command, origin?: Origin) =>
    withTimeLimit(most, (signal) => submit(database, command, signal, origin))

  start()
  return {
    /** The process id, for measurements; undefined between two processes. */
    pid: () => child?.pid,
    async open(limits: Limits): Promise<Database> {
      const number = ++lastId
      const file = join(folder, `${number}.duckdb`)
      const { memoryMegabytes, timeoutMs, loadMs = LOAD_MS } = limits
      let isClosed = false
      let dataMegabytes = 0
      const opening: Command = { do: 'open', limits: { ...limits, file } }
      const run = async (most: AbortSignal | number, what: Command, origin?: Origin) => {
        if (isClosed) throw new DatabaseClosed('the database is closed')
        return execute(number, most, what, origin)
      }
      await execute(number, loadMs, opening)
      loading.add(number)
      return {
        memoryMegabytes,
        isClosed: () => isClosed,
        isLost: () => lost.has(number),
        dataMegabytes: () => dataMegabytes,
        query: async (sql, values = {}, signal = undefined, origin = undefined) => {
          if (origin && ends.isRefused(origin)) throw new QueryRefused()
          return (await run(signal ?? timeoutMs, { do: 'query', sql, values }, origin)) as Rows
        },
        load: async (sql) => (await run(loadMs, { do: 'load', sql })) as Rows,
        createTable: async (table, select) =>
          (await run(loadMs, { do: 'createTable', table, select })) as number,
        async seal(roomMegabytes) {
          dataMegabytes = (await run(loadMs, { do: 'seal', roomMegabytes })) as number
          loading.delete(number)
          const again = { ...limits, file, isReadOnly: true }
          sealed.set(number, { do: 'open', limits: again, roomMegabytes })
        },
        async close() {
          if (isClosed) return
          isClosed = true
          sealed.delete(number)
          loading.delete(number)
          if (!lost.delete(number)) await execute(number, loadMs, { do: 'close' }).catch(ignoreClosed)
          await rm(file, { force: true })
        },
      }
    },
    /** Ends the process and removes its files. */
    async close() {
      isClosing = true
      for (const task of [...waiting, ...suspects]) task.reject(new DatabaseClosed('the process is closed'))
      const ended = child && new Promise((resolve) => child?.once('exit', resolve))
      child?.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
      own.delete(basename(folder))
    },
  }
}

const ignoreClosed = (error: unknown) => {
  if (!(error instanceof DatabaseClosed)) throw error
}

/** The sentences for authors and readers know these messages. */
const endedBy = (reason: ProcessEnd['reason']) =>
  new Error(
    reason === 'memory'
      ? 'Out of Memory Error: the database process exceeded its memory'
      : 'Process Error: the database process ended',
  )

function errorOf({ name, message }: { name: string; message: string }): Error {
  if (name === AnswerTooLarge.name) return new AnswerTooLarge()
  return name === DatabaseClosed.name ? new DatabaseClosed(message) : new Error(message)
}

/** Folders of this process; others with its pid are of an earlier process. */
const own = new Set<string>()

/** Removes the folders of services that ended together with their child processes. */
function removeLeftovers() {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${FOLDER}(\\d+)-`).exec(name) ?? []
    if (pid === undefined || own.has(name)) continue
    if (Number(pid) !== process.pid && isAlive(Number(pid))) continue
    rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function resultOf({ text, notNumbers }: Extract<Answer, { text: string }>) {
  const result = JSON.parse(text)
  if (notNumbers) restoreNotNumbers(result, notNumbers)
  return result
}
