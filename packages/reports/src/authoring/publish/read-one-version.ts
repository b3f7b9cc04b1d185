import { setTimeout as sleep } from 'node:timers/promises'
import { finishPublication } from './publication.ts'
import { publicationMark, readPlan } from './publication-mark.ts'

/**
 * Runs `read` on the files of one published version. It runs again when a publication ended during
 * it, because the files may then be of two versions.
 * @returns what `read` returned, and the mark of the version
 */
export const readOneVersion = async <T>(
  dataDir: string,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<{ value: T; mark: string | undefined }> => {
  for (;;) {
    await untilPublished(dataDir, signal)
    signal.throwIfAborted()
    const mark = await publicationMark(dataDir)
    const value = await read()
    if (!(await readPlan(dataDir)) && (await publicationMark(dataDir)) === mark) return { value, mark }
  }
}

/** Completes a committed publication that is not in place yet: half of it must not be read. */
const untilPublished = async (dataDir: string, signal: AbortSignal) => {
  while (!signal.aborted && (await readPlan(dataDir))) {
    if (!(await finishPublication(dataDir))) await sleep(100)
  }
}
