import { Worker } from 'node:worker_threads'
import { LOADED } from '../../lib/contained-process.ts'
import type { PdfVerdict } from './validate-pdf.ts'

/*
 * A contained process that checks one PDF. The check runs in a thread, and this one watches the
 * memory, because no heap limit covers byte arrays.
 */

const MAX_RSS = 512 * 1024

const reading = new Worker(new URL('./pdf-validation-thread.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 256 },
})
reading.once('message', () => {
  reading.once('message', say)
  process.send?.(LOADED)
})
reading.once('error', (error: NodeJS.ErrnoException) => {
  say(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { limit: 'memory' } : { failure: error.message })
})
process.once('message', (bytes: Uint8Array) => {
  reading.postMessage(bytes)
  const watch = setInterval(() => {
    // In KiB. `process.memoryUsage` would have to open a file.
    if (process.resourceUsage().maxRSS <= MAX_RSS) return
    clearInterval(watch)
    say({ limit: 'memory' })
    // The thread takes more memory until the message has been sent.
    setTimeout(endAtOnce, 500)
  }, 20)
})
// The portal has ended.
process.once('disconnect', endAtOnce)

function say(verdict: PdfVerdict): void {
  process.send?.(verdict, endAtOnce)
}

/** A regular exit would wait for the busy thread. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
