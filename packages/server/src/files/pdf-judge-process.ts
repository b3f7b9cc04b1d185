import { Worker } from 'node:worker_threads'
import { LOADED } from '../contained-process.ts'
import type { PdfVerdict } from './judge-pdf.ts'

/*
 * A process of its own for one PDF: it reads with a library of many thousand lines what anybody may have made. The reading
 * runs in a thread, so that this one can watch the memory: what arrays of bytes take is in no heap limit.
 */

const RSS_AT_MOST = 512 * 1024

const reading = new Worker(new URL('./pdf-judge-thread.ts', import.meta.url), {
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
    if (process.resourceUsage().maxRSS <= RSS_AT_MOST) return
    clearInterval(watch)
    say({ limit: 'memory' })
    // It grows on while that is on its way.
    setTimeout(endAtOnce, 500)
  }, 20)
})
// Whoever started this is gone.
process.once('disconnect', endAtOnce)

function say(verdict: PdfVerdict): void {
  process.send?.(verdict, endAtOnce)
}

/** Leaving in order would wait for a thread that is busy. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
