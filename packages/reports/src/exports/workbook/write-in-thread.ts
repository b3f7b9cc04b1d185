import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Workbook } from './workbook.ts'

/** Megabytes of the thread: a million cells take about 300. */
const MAX_MEGABYTES = 640

/** Writes the file in a thread of its own, since a long one takes seconds. The signal ends it. */
export const writeInThread = async (workbook: Workbook, signal: AbortSignal): Promise<Uint8Array> => {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./write-thread.ts', import.meta.url), {
    workerData: workbook,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
  })
  try {
    const [bytes] = await once(thread, 'message', { signal })
    return bytes
  } finally {
    await thread.terminate()
  }
}
