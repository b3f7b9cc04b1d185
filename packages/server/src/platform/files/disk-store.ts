import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { noneIfMissing } from '../lib/missing-files.ts'
import { Problem } from '../lib/problem.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import type { FileStore } from './file-store.ts'

/** Remembers, outside the folder, which folder is the store. */
export interface FolderMemory {
  recall: () => Promise<string | undefined>
  /** @returns the mark stored from now on: the first one noted */
  note: (mark: string) => Promise<string>
}

/** A file in the folder that identifies it. */
const MARK = '.bi-manager'

/**
 * Stores each file in a folder with mode 0700, created at the first use. From then on a folder
 * without its mark, such as an empty mount point, is an error and not an empty store.
 */
export const createDiskStore = (folder: string, memory: FolderMemory): FileStore => {
  const pathOf = (name: string): string => {
    if (!/^[\da-f-]{36}$/.test(name)) throw new Error('This is not the name of a stored file.')
    return join(folder, name)
  }
  let known: string | undefined
  const assertThere = async (): Promise<void> => {
    known ??= (await memory.recall()) ?? (await memory.note(await beginFolder(folder)))
    const found = await readMark(folder)
    if (found === known) return
    throw new Error(
      found === undefined
        ? `${folder} is missing, or is not the folder that attachments were kept in: is its volume mounted?`
        : `${folder} holds the attachments of another installation.`,
    )
  }
  const inFolder = <T>(work: () => Promise<T>): Promise<T> =>
    orUnavailable(async () => {
      await assertThere()
      return work()
    })
  return {
    put: (name, bytes) =>
      inFolder(async () => {
        const path = pathOf(name)
        // The rename makes the file visible only when it is complete.
        await writeSafely(unfinished(path), bytes, 'w')
        await rename(unfinished(path), path)
        await syncFolder(folder)
      }),
    get: (name) => inFolder(() => readFile(pathOf(name)).catch(noneIfMissing)),
    delete: (name) =>
      inFolder(async () => {
        const path = pathOf(name)
        await rm(unfinished(path), { force: true })
        await rm(path, { force: true })
      }),
    check: () => inFolder(() => access(folder, constants.R_OK | constants.W_OK | constants.X_OK)),
  }
}

const unfinished = (path: string): string => `${path}.new`

/** @returns the mark of the folder, which is created when missing */
const beginFolder = async (folder: string): Promise<string> => {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (created) await syncFolder(dirname(folder))
  const mark = randomUUID()
  try {
    // Exclusive: of two servers that start together, one writes the mark and both read it.
    await writeSafely(join(folder, MARK), Buffer.from(mark), 'wx')
    await syncFolder(folder)
    return mark
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readMark(folder)) ?? mark
  }
}

const readMark = async (folder: string): Promise<string | undefined> =>
  (await readFile(join(folder, MARK)).catch(noneIfMissing))?.toString().trim()

const writeSafely = async (path: string, bytes: Buffer, flags: 'w' | 'wx'): Promise<void> => {
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

const orUnavailable = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    throw new Problem(isFull ? 'sem_espaco' : 'armazenamento_indisponivel', { cause })
  }
}
