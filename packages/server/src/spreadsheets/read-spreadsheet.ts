import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import {
  CannotContain,
  denyFileDescriptors,
  LOADED,
  startContainedProcess,
} from '../lib/contained-process.ts'

/** Why a spreadsheet was not read, as a Portuguese sentence. */
export class RefusedSpreadsheet extends Error {
  override readonly name = 'RefusedSpreadsheet'
}

/** Validated, because a spreadsheet may have taken over the process that sends it. */
const SheetAnswer = z.union([
  z.strictObject({ csv: z.string() }),
  z.strictObject({ refusal: z.enum(['broken', 'large']) }),
  /** The process could not work, whatever the spreadsheet. */
  z.strictObject({ failure: z.string().max(10_000) }),
])
export type SheetAnswer = z.infer<typeof SheetAnswer>

const program = fileURLToPath(new URL('./spreadsheet-process.ts', import.meta.url))

/** Milliseconds, with the start of the process. */
export const SPREADSHEET_MS = 60_000

/**
 * Returns the first sheet of an XLSX file as CSV. A contained process with limits of time and memory
 * reads it.
 * @throws RefusedSpreadsheet; another Error when the process itself does not work
 */
export const readSpreadsheet = async (
  bytes: Buffer,
  { timeMs = SPREADSHEET_MS }: { timeMs?: number } = {},
): Promise<string> => {
  const child = startContainedProcess(program, { allow: 'worker', timeout: timeMs })
  let answer: SheetAnswer | undefined
  child.on('message', (message) => {
    if (message !== LOADED) {
      answer ??= SheetAnswer.safeParse(message).data ?? { refusal: 'broken' }
      return
    }
    denyFileDescriptors(child).then(
      () => child.send(bytes, () => {}),
      (error: Error) => {
        answer = { failure: error instanceof CannotContain ? error.detail : error.message }
        child.kill('SIGKILL')
      },
    )
  })
  // Its last message may arrive after its exit.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  // This process kills it only at the time limit.
  if (!answer && child.killed) answer = { refusal: 'large' }
  if (answer && 'csv' in answer) return answer.csv
  if (answer && 'refusal' in answer) throw new RefusedSpreadsheet(refusals[answer.refusal])
  throw new Error(
    `The reader of spreadsheets failed (code ${code}, signal ${signal}): ${answer?.failure ?? 'it said nothing'}`,
  )
}

const refusals = {
  broken: 'A planilha não pôde ser lida: está corrompida, protegida por senha ou em outro formato.',
  large: 'A planilha é grande demais para ser lida: use CSV ou Parquet.',
}
