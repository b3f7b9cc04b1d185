import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { CannotContain, closeOff, LOADED, startContained } from '../contained-process.ts'
import { Problem, type ProblemOptions } from '../problem.ts'
import { BROKEN } from './refused-pdf.ts'

/** Parsed, because a PDF may have taken over the process that sends it. */
const PdfVerdict = z.strictObject({
  /** A sentence for the person; undefined: taken. */
  refusal: z.string().max(300).optional(),
  /** It was given up. */
  limit: z.enum(['time', 'memory']).optional(),
  /** The judge could not work: that says nothing of the PDF. */
  failure: z.string().max(10_000).optional(),
})
export type PdfVerdict = z.infer<typeof PdfVerdict>

const program = fileURLToPath(new URL('./pdf-judge-process.ts', import.meta.url))

/** Milliseconds; a document of 2,000 pages takes some 4 s. */
const TIME = 20_000

interface JudgeOptions {
  timeMs?: number
  /** The program that judges. */
  judge?: string
}

/**
 * Refuses a PDF that acts, carries other files, is locked, broken or too large. It is read in a process of its own, which knows
 * nothing of this one, with limits of time and memory.
 * @throws Problem 415 with a sentence that says why; 503 where the judge itself does not work
 */
export const judgePdf = async (
  bytes: Buffer,
  { timeMs = TIME, judge = program }: JudgeOptions = {},
): Promise<void> => {
  const child = startContained(judge, { allow: 'worker', timeout: timeMs })
  let verdict: PdfVerdict | undefined
  let isMalformed = false
  let sentence: ProblemOptions = { detail: NOT_NOW, retryAfter: 60 }
  child.on('message', (message) => {
    if (message !== LOADED) {
      const parsed = PdfVerdict.safeParse(message)
      // A verdict behind a malformed one is not believed either.
      if (!parsed.success) isMalformed = true
      verdict ??= parsed.data
      return
    }
    closeOff(child).then(
      // It may be gone before it has read everything: then it has said nothing, and that is the verdict.
      () => child.send(bytes, () => {}),
      (error: Error) => {
        verdict = { failure: error.message }
        if (error instanceof CannotContain) sentence = { detail: error.detail }
        child.kill('SIGKILL')
      },
    )
  })
  // What it said may come in after its end has been told.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  if (isMalformed) {
    const cause = new Error('The judge of PDFs sent a malformed verdict.')
    throw new Problem('arquivo_recusado', { detail: BROKEN, cause })
  }
  // Only the limit of time ends it from here.
  if (!verdict && child.killed) verdict = { limit: 'time' }
  const { refusal, limit, failure } = verdict ?? { failure: 'it said nothing' }
  if (refusal !== undefined) throw new Problem('arquivo_recusado', { detail: refusal })
  if (limit) {
    const cause = new Error(`The judge of PDFs was out of ${limit} (code ${code}, signal ${signal}).`)
    throw new Problem('arquivo_recusado', { detail: TOO_COMPLEX, cause })
  }
  if (failure !== undefined) {
    const cause = new Error(`The judge of PDFs failed (code ${code}, signal ${signal}): ${failure}`)
    throw new Problem('servico_indisponivel', { ...sentence, cause })
  }
}

const TOO_COMPLEX = 'O PDF é complexo demais para ser conferido. Imprima-o em PDF e envie o novo arquivo.'
const NOT_NOW = 'O PDF não pôde ser conferido agora. Tente novamente em instantes.'
