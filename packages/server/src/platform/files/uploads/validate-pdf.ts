import { fileURLToPath } from 'node:url'
import { type ContainedError, runContained } from '@bi-manager/telemetry/run-contained'
import { z } from 'zod'
import { Problem } from '../../lib/problem.ts'
import { notCheckedNow } from '../not-checked.ts'
import { BROKEN, PROTECTED } from './refused-pdf.ts'

/** Bytes; an upload has 10 MB, and a copy differs in how objects are packed. */
const MAX_DECRYPTED_BYTES = 20 * 1024 * 1024

const PdfVerdict = z.strictObject({
  /** The sentence for the user; undefined: accepted. */
  refusal: z.string().max(300).optional(),
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
  const containment = { memoryMegabytes: 512, heapMegabytes: 256, timeMs }
  const { refusal, decrypted } = await runContained(program, bytes, {
    answer: PdfVerdict,
    containment,
  }).catch(refuse)
  if (refusal !== undefined) throw new Problem('arquivo_recusado', { detail: refusal })
  return decrypted && Buffer.from(decrypted)
}

const refuse = (cause: ContainedError): never => {
  const { fault } = cause
  if (fault === 'malformed') throw new Problem('arquivo_recusado', { detail: BROKEN, cause })
  if (fault === 'time' || fault === 'memory')
    throw new Problem('arquivo_recusado', { detail: TOO_COMPLEX, cause })
  throw notCheckedNow('O PDF não pôde ser conferido agora. Tente novamente em instantes.', cause)
}

const TOO_COMPLEX = 'O PDF é complexo demais para ser conferido. Imprima-o em PDF e envie o novo arquivo.'
