import { fork } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preferAsOomVictim, watchMemory } from '../data/database/process-memory.ts'
import { SheetAnswer, type SheetOrder } from './sheet-answer.ts'
import { BROKEN, TOO_LARGE } from './unreadable-sheet.ts'

const PROGRAM = fileURLToPath(new URL('./sheet-process.ts', import.meta.url))

/** What the process may read besides the spreadsheet: its own code. */
const CODE = [
  '../../../../../node_modules/',
  '../../../../../package.json',
  '../../../../contract/',
  '../../../package.json',
  '../../',
]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .map((path) => `--allow-fs-read=${path}`)

/** Milliseconds for one spreadsheet: other authors wait for it. */
export const SHEET_MS = 60_000
/** Megabytes of the heap: a million shared texts take about 200. */
const HEAP_MEGABYTES = 768
/** Resident megabytes, with the decompressed parts. */
const RESIDENT_MEGABYTES = 1_536

/** The process itself does not work, whatever the spreadsheet. */
export class SheetReaderFailed extends Error {}

interface ReadSheet {
  /** The spreadsheet. */
  file: string
  /** The CSV file to write; it must not exist. */
  csv: string
  order: SheetOrder
  /** Milliseconds; `SHEET_MS` by default. */
  timeMs?: number
  /** Megabytes of the heap; `HEAP_MEGABYTES` by default. */
  heapMegabytes?: number
}

/**
 * Converts a sheet into a CSV file. A process of its own reads it, without network libraries, that
 * may read the spreadsheet, write the CSV and start nothing: a hostile file only ends this process.
 * @throws SheetReaderFailed
 */
export const readSheet = async ({
  file,
  csv,
  order,
  timeMs = SHEET_MS,
  heapMegabytes = HEAP_MEGABYTES,
}: ReadSheet): Promise<SheetAnswer> => {
  // The permission model compares real paths.
  const folder = realpathSync(dirname(csv))
  const child = fork(PROGRAM, [], {
    execArgv: [
      '--permission',
      ...CODE,
      `--allow-fs-read=${realpathSync(file)}`,
      `--allow-fs-write=${folder}`,
      `--max-old-space-size=${heapMegabytes}`,
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: timeMs,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (said.length < 10_000) said += chunk.toString()
  })
  let stopWatching = () => {}
  if (child.pid !== undefined) {
    void preferAsOomVictim(child.pid)
    stopWatching = watchMemory(child.pid, RESIDENT_MEGABYTES * 1_000_000, () => child.kill('SIGKILL'))
  }
  let answer: unknown
  child.on('message', (message) => {
    answer ??= message
  })
  child.send({ file, csv, order }, () => {})
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  stopWatching()
  if (answer !== undefined) return SheetAnswer.safeParse(answer).data ?? { fault: BROKEN }
  // It is killed at its limits, here or by Linux; V8 aborts when the heap is full.
  if (signal === 'SIGKILL' || signal === 'SIGABRT' || /heap out of memory/.test(said))
    return { fault: TOO_LARGE }
  throw new SheetReaderFailed(
    `The reader of spreadsheets failed (code ${code}, signal ${signal}): ${said.slice(0, 2_000)}`,
  )
}
