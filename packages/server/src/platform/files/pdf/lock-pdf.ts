import { fileURLToPath } from 'node:url'
import { runContained } from '@bi-manager/telemetry/run-contained'
import PQueue from 'p-queue'
import { z } from 'zod'

const program = fileURLToPath(new URL('./lock-pdf-process.ts', import.meta.url))

const containment = { memoryMegabytes: 1_024, heapMegabytes: 512, timeMs: 30_000 }

/** Each process takes a core for some tenths of a second. */
const queue = new PQueue({ concurrency: 1 })

/**
 * Encrypts a PDF with a password (AES-256, revision 6 of ISO 32000-2), in a contained process: the
 * library parses a file that was made elsewhere.
 * @throws Error when the PDF cannot be read, or the process does not work
 */
export const lockPdf = (bytes: Buffer, password: string): Promise<Buffer> =>
  queue.add(async () => {
    const answer = z.instanceof(Uint8Array)
    const locked = await runContained(program, { bytes, password }, { answer, containment })
      .then((said) => Buffer.from(said))
      .catch((error: Error) => {
        throw new Error(`A PDF could not be encrypted: ${error.message}`)
      })
    if (!locked.subarray(0, 5).equals(Buffer.from('%PDF-')) || !locked.includes('/Encrypt'))
      throw new Error('A PDF could not be encrypted: the process sent another file')
    return locked
  })
