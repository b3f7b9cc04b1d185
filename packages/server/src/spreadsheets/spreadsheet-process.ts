import { Worker } from 'node:worker_threads'
import { LOADED } from '../lib/contained-process.ts'
import type { SheetAnswer } from './read-spreadsheet.ts'

/*
 * A contained process that reads one spreadsheet. A thread does so, and this one watches the memory,
 * because no heap limit covers byte arrays.
 */

const RSS_AT_MOST = 1024 * 1024

const reading = new Worker(new URL('./spreadsheet-thread.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 640 },
})
reading.once('message', () => {
  reading.once('message', say)
  process.send?.(LOADED)
})
reading.once('error', (error: NodeJS.ErrnoException) => {
  say(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { refusal: 'large' } : { failure: error.message })
})
process.once('message', (bytes: Uint8Array) => {
  reading.postMessage(bytes)
  const watch = setInterval(() => {
    // In KiB. `process.memoryUsage` would have to open a file.
    if (process.resourceUsage().maxRSS <= RSS_AT_MOST) return
    clearInterval(watch)
    say({ refusal: 'large' })
    // The thread takes more memory until the message has been sent.
    setTimeout(endAtOnce, 500)
  }, 20)
})
// The portal has ended.
process.once('disconnect', endAtOnce)

function say(answer: SheetAnswer): void {
  process.send?.(answer, endAtOnce)
}

/** A regular exit would wait for the busy thread. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
