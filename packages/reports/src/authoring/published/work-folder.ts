import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DRAFTS_DIR } from '../drafts/files/draft-files.ts'

/**
 * Creates a folder on the disk of the data. It is among the drafts, so that what a crash leaves is
 * deleted after a day.
 */
export const newWorkFolder = async (dataDir: string): Promise<string> => {
  const folder = join(dataDir, DRAFTS_DIR, `trabalho-${randomUUID()}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Runs `work` with a new folder on the disk of the data. */
export const inWorkFolder = async <T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await newWorkFolder(dataDir)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
