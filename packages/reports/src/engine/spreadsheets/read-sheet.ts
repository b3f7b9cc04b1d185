import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ContainedError, runContained } from '@bi-manager/telemetry/run-contained'
import { SheetAnswer, type SheetOrder } from './sheet-answer.ts'
import { BROKEN, TOO_LARGE } from './unreadable-sheet.ts'

const PROGRAM = fileURLToPath(new URL('./sheet-process.ts', import.meta.url))

/** Milliseconds for one spreadsheet: other authors wait for it. */
const SHEET_MS = 60_000
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
 * Converts a sheet into a CSV file, in a contained process that has both files open and no other.
 * @throws SheetReaderFailed
 */
export const readSheet = async ({
  file,
  csv,
  order,
  timeMs = SHEET_MS,
  heapMegabytes = HEAP_MEGABYTES,
}: ReadSheet): Promise<SheetAnswer> => {
  await using sheet = await open(file)
  await using written = await open(csv, 'wx', 0o600)
  const files = [sheet.fd, written.fd]
  try {
    return await runContained(PROGRAM, order, {
      answer: SheetAnswer,
      containment: { memoryMegabytes: RESIDENT_MEGABYTES, heapMegabytes, timeMs, files },
    })
  } catch (error) {
    if (!(error instanceof ContainedError)) throw error
    const { fault, message } = error
    if (fault === 'time' || fault === 'memory') return { fault: TOO_LARGE }
    if (fault === 'malformed') return { fault: BROKEN }
    throw new SheetReaderFailed(`The reader of spreadsheets failed: ${message}`)
  }
}
