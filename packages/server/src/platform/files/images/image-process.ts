import { answerContained } from '@bi-manager/telemetry/answer-contained'
import { drawImage, loadSharp, RefusedImage } from './draw-image.ts'
import type { ImageTask } from './draw-upload.ts'
import { drawings } from './drawings.ts'

/* A contained program that draws one image, so that a crash of the decoder ends only this. */

await loadSharp()
await answerContained(({ upload, drawing }: ImageTask) =>
  drawImage(Buffer.from(upload), drawings[drawing]).catch((error: Error) => {
    if (!(error instanceof RefusedImage)) throw error
    return { refusal: error.message, reason: error.cause }
  }),
)
