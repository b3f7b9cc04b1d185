import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import { z } from 'zod'
import { denyFileDescriptors, LOADED, startContainedProcess } from '../../lib/contained-process.ts'

/** Validated, because a PDF may have taken over the process that sends it. */
const LockAnswer = z.union([
  z.strictObject({ locked: z.instanceof(Uint8Array) }),
  z.strictObject({ failure: z.string().max(10_000) }),
])
export type LockAnswer = z.infer<typeof LockAnswer>

const program = fileURLToPath(new URL('./lock-pdf-process.ts', import.meta.url))

const LONGEST_MS = 30_000

/** Each process takes a core for some tenths of a second. */
const queue = new PQueue({ concurrency: 1 })

/**
 * Encrypts a PDF with a password (AES-256, revision 6 of ISO 32000-2), in a contained process: the
 * library parses a file that was made elsewhere.
 * @throws Error when the PDF cannot be read, or the process does not work
 */
export const lockPdf = (bytes: Buffer, password: string): Promise<Buffer> =>
  queue.add(() => lockOne(bytes, password))

const lockOne = async (bytes: Buffer, password: string): Promise<Buffer> => {
  const child = startContainedProcess(program, { allow: 'worker', timeout: LONGEST_MS })
  let answer: LockAnswer | undefined
  child.on('message', (message) => {
    if (message !== LOADED) {
      answer ??= LockAnswer.safeParse(message).data ?? { failure: 'an unexpected answer' }
      return
    }
    denyFileDescriptors(child).then(
      () => child.send({ bytes, password }, () => {}),
      (error: Error) => {
        answer = { failure: error.message }
        child.kill('SIGKILL')
      },
    )
  })
  // Its last message may arrive after its exit.
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  if (!answer || 'failure' in answer)
    throw new Error(`A PDF could not be encrypted: ${answer?.failure ?? 'the process ended'}`)
  const locked = Buffer.from(answer.locked)
  if (!locked.subarray(0, 5).equals(Buffer.from('%PDF-')) || !locked.includes('/Encrypt'))
    throw new Error('A PDF could not be encrypted: the process sent another file')
  return locked
}
