import { readFileSync, writeSync } from 'node:fs'
import { answerContained, FIRST_FILE } from '@bi-manager/telemetry/answer-contained'
import { convertSheet } from './convert-sheet.ts'
import type { SheetOrder } from './sheet-answer.ts'
import { TOO_LARGE, UnreadableSheet } from './unreadable-sheet.ts'

/* The contained program of `readSheet`: converts one sheet of an open file into an open CSV. */

/** Letters of the written CSV; the workbook itself has at most 400 MB. */
const MAX_LETTERS = 500_000_000

await answerContained((order: SheetOrder) => {
  let written = 0
  return convertSheet(readFileSync(FIRST_FILE), order, (text) => {
    written += text.length
    // A small workbook may name one long text in each of a million cells.
    if (written > MAX_LETTERS) throw new UnreadableSheet(TOO_LARGE)
    writeAll(FIRST_FILE + 1, text)
  })
})

/** A write may end early, as on a full disk. */
function writeAll(out: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) done += writeSync(out, bytes, done)
}
