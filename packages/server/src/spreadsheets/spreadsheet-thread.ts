import { parentPort } from 'node:worker_threads'
import { csvOfSheet, type SheetCell } from '@bi-manager/contract'
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { LOADED } from '../lib/contained-process.ts'
import type { SheetAnswer } from './read-spreadsheet.ts'

/* Reads one spreadsheet, in a thread of spreadsheet-process.ts. */

/** Bytes after decompression; an author's sheet compresses to about a tenth. */
const UNZIPPED_AT_MOST = 150 * 1024 * 1024

class TooLarge extends Error {}

parentPort?.once('message', async (bytes: Uint8Array) => {
  const answer = await read(bytes).catch(
    (error: unknown): SheetAnswer => ({ refusal: error instanceof TooLarge ? 'large' : 'broken' }),
  )
  parentPort?.postMessage(answer)
})
parentPort?.postMessage(LOADED)

async function read(bytes: Uint8Array): Promise<SheetAnswer> {
  let total = 0
  const entries = unzipSync(bytes, {
    // fflate writes no more than the size that the zip names.
    filter: ({ originalSize }) => {
      total += originalSize
      if (total > UNZIPPED_AT_MOST) throw new TooLarge()
      return true
    },
  })
  // The reader unzips in workers, which a file that is not compressed does not need.
  const stored = zipSync(entries, { level: 0 })
  return { csv: csvOfSheet((await readSheet(new Blob([stored]))) as SheetCell[][]) }
}
