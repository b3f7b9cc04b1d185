import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import {
  CannotContain,
  denyFileDescriptors,
  LOADED,
  startContainedProcess,
} from '../../lib/contained-process.ts'
import { Problem, type ProblemOptions } from '../../lib/problem.ts'
import { BROKEN, PROTECTED } from './refused-pdf.ts'

/** Bytes; an upload has 10 MB, and a copy differs in how objects are packed. */
const MAX_DECRYPTED_BYTES = 20 * 1024 * 1024

/** Validated, because a PDF may have taken over the process that sends it. */
const PdfVerdict = z.strictObject({
  /** The sentence for the user; undefined: accepted. */
  refusal: z.string().max(300).optional(),
  /** The limit that the check exceeded. */
  limit: z.enum(['time', 'memory']).optional(),
  /** Why the check itself failed, whatever the PDF. */
  failure: z.string().max(10_000).optional(),
  /** A copy without encryption, which another process must check. */
  decrypted: z
    .custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= MAX_DECRYPTED_BYTES)
    .optional(),
})
export type PdfVerdict = z.infer<typeof PdfVerdict>

const ownProgram = fileURLToPath(new URL('./pdf-validation-process.ts', import.meta.url))

/** Milliseconds; a document of 2,000 pages takes some 4 s. */
const TIME = 20_000

interface ValidationOptions {
  timeMs?: number
  /** The program that checks. */
  program?: string
}

/**
 * Refuses a PDF with active content or attached files, or one that asks for a password, is broken or
 * too large. A contained process with limits of time and memory reads it. Another process checks the
 * decrypted copy like every other PDF, because an upload may have taken over the first process.
 * @returns the copy to store instead of a PDF that is encrypted but opens without a password
 * @throws Problem 415 with a sentence that says why; 503 when the process itself does not work
 */
export const validatePdf = async (
  bytes: Buffer,
  options: ValidationOptions = {},
): Promise<Buffer | undefined> => {
  const copy = await readInProcess(bytes, options)
  if (!copy) return undefined
  if (await readInProcess(copy, options)) throw new Problem('arquivo_recusado', { detail: PROTECTED })
  return copy
}

const readInProcess = async (
  bytes: Buffer,
  { timeMs = TIME, program = ownProgram }: ValidationOptions,
): Promise<Buffer | undefined> => {
  const child = startContainedProcess(program, { allow: 'worker', timeout: timeMs })
  let verdict: PdfVerdict | undefined
  let isMalformed = false
  let sentence: ProblemOptions = { detail: NOT_NOW, retryAfter: 60 }
  child.on('message', (message) => {
    if (message !== LOADED) {
      const parsed = PdfVerdict.safeParse(message)
      // A verdict after a malformed one is ignored.
      if (!parsed.success) isMalformed = true
      verdict ??= parsed.data
      return
    }
    denyFileDescriptors(child).then(
      // It may end before it has read everything; its exit is the verdict then.
      () => child.send(bytes, () => {}),
      (error: Error) => {
        verdict = { failure: error.message }
        if (error instanceof CannotContain) sentence = { detail: error.detail }
        child.kill('SIGKILL')
      },
    )
  })
  // Its last message may arrive after its exit.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  if (isMalformed) {
    const cause = new Error('The validation of PDFs sent a malformed verdict.')
    throw new Problem('arquivo_recusado', { detail: BROKEN, cause })
  }
  // This process kills it only at the time limit.
  if (!verdict && child.killed) verdict = { limit: 'time' }
  const { refusal, limit, failure, decrypted } = verdict ?? { failure: 'it said nothing' }
  if (refusal !== undefined) throw new Problem('arquivo_recusado', { detail: refusal })
  if (limit) {
    const cause = new Error(`The validation of PDFs was out of ${limit} (code ${code}, signal ${signal}).`)
    throw new Problem('arquivo_recusado', { detail: TOO_COMPLEX, cause })
  }
  if (failure !== undefined) {
    const cause = new Error(`The validation of PDFs failed (code ${code}, signal ${signal}): ${failure}`)
    throw new Problem('servico_indisponivel', { ...sentence, cause })
  }
  return decrypted && Buffer.from(decrypted)
}

const TOO_COMPLEX = 'O PDF é complexo demais para ser conferido. Imprima-o em PDF e envie o novo arquivo.'
const NOT_NOW = 'O PDF não pôde ser conferido agora. Tente novamente em instantes.'
