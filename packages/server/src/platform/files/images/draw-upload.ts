import { fileURLToPath } from 'node:url'
import { type ContainedError, runContained } from '@bi-manager/telemetry/run-contained'
import PQueue from 'p-queue'
import { z } from 'zod'
import { notCheckedNow } from '../not-checked.ts'
import { BROKEN, type ImageFormat, imageFormatOf, RefusedImage, TOO_HEAVY } from './draw-image.ts'
import { type DrawingName, drawings } from './drawings.ts'

export interface ImageTask {
  upload: Uint8Array
  drawing: DrawingName
}
interface DrawnImage {
  bytes: Buffer
  format: ImageFormat
}
const isOfItsFormat = ({ bytes, format }: { bytes: Uint8Array; format: string }) =>
  imageFormatOf(Buffer.from(bytes.subarray(0, 16))) === format
const ImageAnswer = z.union([
  z
    .strictObject({ bytes: z.instanceof(Uint8Array), format: z.enum(['png', 'jpeg', 'webp']) })
    .refine(isOfItsFormat),
  z.strictObject({ refusal: z.string().max(300), reason: z.unknown().optional() }),
])

/**
 * A rotated JPEG or PNG of the most pixels takes less; a rotated lossless WebP with transparency may
 * take more, and is refused with its sentence.
 */
const MEMORY_MEGABYTES = 1_073

interface DrawerOptions {
  program?: string
  /** Milliseconds that a process started ahead waits for its image. */
  aheadMs?: number
  /** Milliseconds added to the drawing's own limit, which libvips checks only between rows. */
  graceMs?: number
}

/**
 * Draws uploads one at a time, each in a separate contained process, so that an image cannot reach
 * the memory or code of an earlier one. The process for the next image is started ahead.
 */
export const createImageRedrawer = ({
  program = fileURLToPath(new URL('./image-process.ts', import.meta.url)),
  aheadMs = 60_000,
  graceMs = 5_000,
}: DrawerOptions = {}) => {
  const queue = new PQueue({ concurrency: 1 })
  /** @throws RefusedImage; Problem 503 when the process itself does not work */
  return (upload: Buffer, drawing: DrawingName): Promise<DrawnImage> =>
    queue.add(async () => {
      const timeMs = drawings[drawing].seconds * 1_000 + graceMs
      const containment = { memoryMegabytes: MEMORY_MEGABYTES, timeMs, usesAddons: true }
      const task: ImageTask = { upload, drawing }
      const answer = await runContained(program, task, { answer: ImageAnswer, containment, aheadMs }).catch(
        refuse,
      )
      if ('refusal' in answer) throw new RefusedImage(answer.refusal, { cause: answer.reason })
      return { ...answer, bytes: Buffer.from(answer.bytes) }
    })
}

/** Two drawers, because logos should not wait for attachments. */
const logos = createImageRedrawer()
const drawers = { logo: logos, brand: logos, attachment: createImageRedrawer() }

export const redrawUpload = (upload: Buffer, drawing: DrawingName): Promise<DrawnImage> =>
  drawers[drawing](upload, drawing)

const refuse = (cause: ContainedError): never => {
  if (cause.fault === 'time' || cause.fault === 'memory') throw new RefusedImage(TOO_HEAVY, { cause })
  // A fault of the decoder ends it, or lets the image answer.
  if (cause.fault === 'crash' || cause.fault === 'malformed') throw new RefusedImage(BROKEN, { cause })
  throw notCheckedNow('A imagem não pôde ser conferida agora. Tente novamente em instantes.', cause)
}
