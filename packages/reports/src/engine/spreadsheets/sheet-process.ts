import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { convertSheet } from './convert-sheet.ts'
import type { SheetOrder } from './sheet-answer.ts'
import { TOO_LARGE, UnreadableSheet } from './unreadable-sheet.ts'

/** Letters of the written CSV; the workbook itself has at most 400 MB. */
const MAX_LETTERS = 500_000_000

/* The contained process of `readSheet`: converts one sheet, answers, and ends. */

process.once('message', ({ file, csv, order }: { file: string; csv: string; order: SheetOrder }) => {
  const out = openSync(csv, 'wx', 0o600)
  let written = 0
  const answer = convertSheet(readFileSync(file), order, (text) => {
    written += text.length
    // A small workbook may name one long text in each of a million cells.
    if (written > MAX_LETTERS) throw new UnreadableSheet(TOO_LARGE)
    writeAll(out, text)
  })
  closeSync(out)
  process.send?.(answer, () => process.exit())
})
// The service has ended.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

/** A write may end early, as on a full disk. */
function writeAll(out: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) done += writeSync(out, bytes, done)
}
