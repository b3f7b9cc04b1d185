import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import PQueue from 'p-queue'
import type { PdfDocument, PdfHead, PdfPart } from './pdf-document.ts'
import type { PdfMessage, PdfReply } from './pdf-thread.ts'

export type { PdfPart } from './pdf-document.ts'

/** Documents that are drawn at once; each keeps a processor busy. The others wait. */
const AT_ONCE = 2
const queue = new PQueue({ concurrency: AT_ONCE })
/** Milliseconds that a thread without work is kept, with its parsed fonts. */
const IDLE = 60_000

const idle = new Map<Worker, NodeJS.Timeout>()

/** Returns an A4 document with its fonts and 'Página 1 de 2' at the foot of each page. */
export const makePdf = ({ parts, ...head }: PdfDocument): Promise<Buffer> =>
  queue.add(async () => {
    const thread = takeThread()
    try {
      const bytes = await drawIn(thread, head, inBatches(parts))
      keep(thread)
      return bytes
    } catch (error) {
      // It may wait for parts that never come.
      await thread.terminate()
      throw error
    }
  })

const drawIn = async (thread: Worker, head: PdfHead, batches: AsyncGenerator<PdfPart[]>): Promise<Buffer> => {
  const ended = new AbortController()
  const end = () => ended.abort()
  thread.once('exit', end)
  thread.postMessage({ head } satisfies PdfMessage)
  for (;;) {
    const [reply]: [PdfReply] = (await once(thread, 'message', { signal: ended.signal })) as [PdfReply]
    if (reply === 'more') {
      const { done, value } = await batches.next()
      thread.postMessage({ parts: done ? null : value } satisfies PdfMessage)
    } else {
      thread.off('exit', end)
      await batches.return(undefined)
      if ('error' in reply) throw new Error(reply.error)
      return Buffer.from(reply.bytes)
    }
  }
}

/** Parts a message. */
const BATCH = 50

async function* inBatches(parts: PdfDocument['parts']): AsyncGenerator<PdfPart[]> {
  let batch: PdfPart[] = []
  for await (const part of parts) {
    batch.push(part)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const takeThread = (): Worker => {
  const [kept] = idle.keys()
  if (!kept) return startThread()
  clearTimeout(idle.get(kept))
  idle.delete(kept)
  kept.ref()
  return kept
}

const startThread = (): Worker => {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url))
  // An error ends the thread: the caller that waits for it sees that it has ended.
  thread.on('error', () => {})
  thread.on('exit', () => idle.delete(thread))
  return thread
}

/** Keeps a thread for the next document; it does not keep the portal running. */
const keep = (thread: Worker): void => {
  thread.unref()
  idle.set(thread, setTimeout(() => void thread.terminate(), IDLE).unref())
}
