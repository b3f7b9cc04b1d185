import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '../../../platform/lib/sync-folder.ts'
import type { BackupTarget } from './backup-target.ts'
import { createMeter } from './meter.ts'

/** Stores one file per backup, with a hidden name until `commit`. */
export const createFolderTarget = (folder: string): BackupTarget => {
  const unfinished = (name: string) => join(folder, `.${name}.part`)
  const pathOf = (name: string) => join(folder, name)
  return {
    place: folder,
    freeBytes: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    write: async (name, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const left of await readdir(folder)) {
        if (left.startsWith(`.${familyOf(name)}`) && left.endsWith('.part'))
          await rm(join(folder, left), { force: true })
      }
      const { meter, result } = createMeter()
      await pipeline(
        bytes,
        meter,
        createWriteStream(unfinished(name), { mode: 0o600, flags: 'wx', flush: true }),
      )
      return result()
    },
    read: async (name) => {
      const file = await open(unfinished(name)).catch(() => open(pathOf(name)))
      return file.createReadStream()
    },
    commit: async (name) => {
      await rename(unfinished(name), pathOf(name))
      await syncFolder(folder)
    },
    remove: async (name) => {
      await rm(unfinished(name), { force: true })
      await rm(pathOf(name), { force: true })
    },
    list: async () => (await readdir(folder)).filter((name) => !name.startsWith('.')),
  }
}

/** Prefix of all backups of one installation; others may use the folder too. */
const familyOf = (name: string): string => name.replace(/\d{8}T\d{6}Z\.tar\.age$/, '')
