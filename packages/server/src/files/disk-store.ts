import { constants } from 'node:fs'
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../problem.ts'
import type { FileStore } from './file-store.ts'

/** One file each in a folder that only the server's own user may enter. */
export const createDiskStore = (folder: string): FileStore => {
  const pathOf = (name: string): string => {
    if (!/^[\da-f-]{36}$/.test(name)) throw new Error('This is no name of a stored file.')
    return join(folder, name)
  }
  return {
    put: (name, bytes) =>
      orUnavailable(async () => {
        const path = pathOf(name)
        await ensureFolder(folder)
        // Under its own name there is a whole file or none.
        const file = await open(unfinished(path), 'w', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished(path), path)
        await syncFolder(folder)
      }),
    get: (name) => orUnavailable(() => readFile(pathOf(name)).catch(noneIfMissing)),
    delete: (name) =>
      orUnavailable(async () => {
        const path = pathOf(name)
        await rm(unfinished(path), { force: true })
        await rm(path, { force: true })
      }),
    check: () =>
      orUnavailable(async () => {
        await ensureFolder(folder)
        await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      }),
  }
}

const unfinished = (path: string): string => `${path}.new`

const ensureFolder = async (folder: string): Promise<void> => {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (created) await syncFolder(dirname(folder))
}

/** A new name in a folder is safe only when the folder is. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const noneIfMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

const orUnavailable = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    throw new Problem('armazenamento_indisponivel', { cause })
  }
}
