import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createTurns } from '../auth/turns.ts'
import { closeOff, LOADED, startContained } from '../contained-process.ts'
import { Problem } from '../problem.ts'
import { BROKEN, type ImageFormat, RefusedImage } from './draw-image.ts'
import { type DrawingName, drawings } from './drawings.ts'

export interface ImageTask {
  upload: Uint8Array
  drawing: DrawingName
}
interface DrawnImage {
  bytes: Buffer
  format: ImageFormat
}
/** `failure`: the process could not work, which says nothing about the image. */
export type ImageAnswer = DrawnImage | { refusal: string } | { failure: string }

interface DrawerOptions {
  program?: string
  /** Milliseconds that a process without work is kept. */
  idleMs?: number
  /** Milliseconds beside the drawing's own limit, which libvips checks only between rows. */
  graceMs?: number
  loadMs?: number
}

/**
 * Draws uploads in a contained process, one at a time. The process is kept for the next image and
 * replaced after a crash.
 */
export const createDrawer = ({
  program = fileURLToPath(new URL('./image-process.ts', import.meta.url)),
  idleMs = 60_000,
  graceMs = 5_000,
  loadMs = 20_000,
}: DrawerOptions = {}) => {
  const turns = createTurns(1)
  let kept: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  const start = async (): Promise<ChildProcess> => {
    const child = startContained(program, { allow: 'addons' })
    // Awaited answers keep the portal running; an idle process does not.
    child.unref()
    child.channel?.unref()
    child.once('disconnect', () => {
      if (kept === child) kept = undefined
    })
    try {
      if ((await answerOf(child, loadMs)) !== LOADED) throw new Error('it did not load')
      await closeOff(child)
    } catch (error) {
      child.kill('SIGKILL')
      throw notNow(child, (error as Error).message)
    }
    kept = child
    return child
  }

  const stop = () => {
    kept?.kill('SIGKILL')
    kept = undefined
  }

  /** @throws RefusedImage; Problem 503 where the process itself does not work */
  const draw = (upload: Buffer, drawing: DrawingName): Promise<DrawnImage> =>
    turns.take('image', async () => {
      clearTimeout(idle)
      const child = kept ?? (await start())
      const answered = answerOf(child, drawings[drawing].seconds * 1_000 + graceMs)
      child.send({ upload, drawing } satisfies ImageTask, () => {})
      const answer = (await answered) as ImageAnswer | undefined
      idle = setTimeout(stop, idleMs).unref()
      if (!answer) {
        // It is not used again, whether it crashed or was killed.
        stop()
        const cause = new Error(
          `The image process ended (code ${child.exitCode}, signal ${child.signalCode}).`,
        )
        throw new RefusedImage(BROKEN, { cause })
      }
      if ('refusal' in answer) throw new RefusedImage(answer.refusal)
      if ('failure' in answer) throw notNow(child, answer.failure)
      return { ...answer, bytes: Buffer.from(answer.bytes) }
    })
  return draw
}

/** Attachments take long: logos do not wait for them. */
const drawers = { logo: createDrawer(), attachment: createDrawer() }

export const drawUpload = (upload: Buffer, drawing: DrawingName): Promise<DrawnImage> =>
  drawers[drawing](upload, drawing)

/** The child's next message; undefined when it ends, or is killed because it takes too long. */
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
      // Its channel closes before its exit is reported.
      if (hasExited) finish()
      else child.once('exit', () => finish())
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    child.on('message', finish).on('disconnect', end).on('error', end)
  })

const NOT_NOW = 'A imagem não pôde ser conferida agora. Tente novamente em instantes.'

const notNow = ({ exitCode, signalCode }: ChildProcess, failure: string): Problem => {
  const cause = new Error(`The image process failed (code ${exitCode}, signal ${signalCode}): ${failure}`)
  return new Problem('servico_indisponivel', { detail: NOT_NOW, retryAfter: 60, cause })
}
