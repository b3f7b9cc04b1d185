import { LOADED } from '../../lib/contained-process.ts'
import { drawImage, loadSharp, RefusedImage } from './draw-image.ts'
import type { ImageAnswer, ImageTask } from './draw-upload.ts'
import { drawings } from './drawings.ts'

/* Draws one image in a separate process, so that a crash of the decoder ends only this. */

/**
 * KiB. A rotated JPEG or PNG of the most pixels takes less; a rotated lossless WebP with transparency
 * may take more, and is refused with its sentence.
 */
const MAX_RSS = 1024 * 1024

await loadSharp()
process.on('message', async ({ upload, drawing }: ImageTask) => {
  // libvips draws in its own threads. `process.memoryUsage` would have to open a file.
  const watch = setInterval(() => {
    if (process.resourceUsage().maxRSS > MAX_RSS) endAtOnce()
  }, 20)
  const answer = await drawImage(Buffer.from(upload), drawings[drawing]).catch(
    (error: Error): ImageAnswer =>
      error instanceof RefusedImage
        ? { refusal: error.message, reason: error.cause }
        : { failure: error.message },
  )
  clearInterval(watch)
  process.send?.(answer)
})
// The portal has ended.
process.once('disconnect', endAtOnce)
process.send?.(LOADED)

function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
