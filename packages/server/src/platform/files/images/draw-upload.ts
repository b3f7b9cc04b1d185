import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import { z } from 'zod'
import {
  CannotContain,
  denyFileDescriptors,
  LOADED,
  startContainedProcess,
} from '../../lib/contained-process.ts'
import { Problem } from '../../lib/problem.ts'
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
/** Validated, because an image may have taken over the process that sends it. */
const ImageAnswer = z.union([
  z
    .strictObject({ bytes: z.instanceof(Uint8Array), format: z.enum(['png', 'jpeg', 'webp']) })
    .refine(isOfItsFormat),
  z.strictObject({ refusal: z.string().max(300), reason: z.unknown().optional() }),
  /** The process could not work, whatever the image. */
  z.strictObject({ failure: z.string().max(10_000) }),
])
export type ImageAnswer = z.infer<typeof ImageAnswer>

interface DrawerOptions {
  program?: string
  /** Milliseconds that a process started ahead waits for its image. */
  idleMs?: number
  /** Milliseconds added to the drawing's own limit, which libvips checks only between rows. */
  graceMs?: number
  loadMs?: number
}

/**
 * Draws uploads one at a time, each in a separate contained process, so that an image cannot reach
 * the memory or code of an earlier one. The process for the next image is started ahead.
 */
export const createImageRedrawer = ({
  program = fileURLToPath(new URL('./image-process.ts', import.meta.url)),
  idleMs = 60_000,
  graceMs = 5_000,
  loadMs = 20_000,
}: DrawerOptions = {}) => {
  const queue = new PQueue({ concurrency: 1 })
  let ahead: Promise<ChildProcess> | undefined
  let idle: NodeJS.Timeout | undefined

  const start = async (): Promise<ChildProcess> => {
    const child = startContainedProcess(program, { allow: 'addons' })
    // An awaited answer keeps the portal running; an idle process does not.
    child.unref()
    child.channel?.unref()
    try {
      if ((await answerOf(child, loadMs)) !== LOADED) throw new Error('it did not load')
      await denyFileDescriptors(child)
    } catch (error) {
      child.kill('SIGKILL')
      throw notNow(child, error as Error)
    }
    return child
  }

  const startAhead = () => {
    const starting = start()
    ahead = starting
    // The error is thrown when the next image needs a process.
    starting.catch(() => {})
    idle = setTimeout(() => {
      ahead = undefined
      starting.then((child) => child.kill('SIGKILL')).catch(() => {})
    }, idleMs).unref()
  }

  /** Returns a process that has drawn nothing. */
  const takeProcess = async (): Promise<ChildProcess> => {
    clearTimeout(idle)
    const child = await ahead?.catch(() => undefined)
    ahead = undefined
    return child?.connected ? child : await start()
  }

  /** @throws RefusedImage; Problem 503 when the process itself does not work */
  const draw = (upload: Buffer, drawing: DrawingName): Promise<DrawnImage> =>
    queue.add(async () => {
      const child = await takeProcess()
      try {
        const answered = answerOf(child, drawings[drawing].seconds * 1_000 + graceMs)
        child.send({ upload, drawing } satisfies ImageTask, () => {})
        const message = await answered
        if (message === undefined) {
          const end = `The image process ended (code ${child.exitCode}, signal ${child.signalCode}).`
          // A limit of time or memory kills with SIGKILL; a fault of the decoder has another signal.
          const sentence = child.signalCode === 'SIGKILL' ? TOO_HEAVY : BROKEN
          throw new RefusedImage(sentence, { cause: new Error(end) })
        }
        const { data: answer } = ImageAnswer.safeParse(message)
        if (!answer) throw new RefusedImage(BROKEN, { cause: new Error(MALFORMED) })
        if ('refusal' in answer) throw new RefusedImage(answer.refusal, { cause: answer.reason })
        if ('failure' in answer) throw notNow(child, new Error(answer.failure))
        return { ...answer, bytes: Buffer.from(answer.bytes) }
      } finally {
        child.kill('SIGKILL')
        startAhead()
      }
    })
  return draw
}

/** Two drawers, because logos should not wait for attachments. */
const logos = createImageRedrawer()
const drawers = { logo: logos, brand: logos, attachment: createImageRedrawer() }

export const redrawUpload = (upload: Buffer, drawing: DrawingName): Promise<DrawnImage> =>
  drawers[drawing](upload, drawing)

/** Returns the child's next message; undefined when it ends, or is killed at the time limit. */
const answerOf = (child: ChildProcess, ms: number): Promise<unknown> =>
  new Promise((resolve) => {
    const finish = (answer?: unknown) => {
      clearTimeout(timer)
      child.off('message', finish).off('disconnect', end).off('error', end)
      resolve(answer)
    }
    const end = () => {
      child.kill('SIGKILL')
      const hasExited = !child.pid || child.exitCode !== null || child.signalCode !== null
      // The channel closes before the exit is reported.
      if (hasExited) finish()
      else child.once('exit', () => finish())
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    child.on('message', finish).on('disconnect', end).on('error', end)
  })

const MALFORMED = 'The image process sent a malformed answer.'
const NOT_NOW = 'A imagem não pôde ser conferida agora. Tente novamente em instantes.'

const notNow = ({ exitCode, signalCode }: ChildProcess, error: Error): Problem => {
  const end = `(code ${exitCode}, signal ${signalCode})`
  const cause = new Error(`The image process failed ${end}: ${error.message}`)
  const sentence =
    error instanceof CannotContain ? { detail: error.detail } : { detail: NOT_NOW, retryAfter: 60 }
  return new Problem('servico_indisponivel', { ...sentence, cause })
}
