import { createReadStream, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { CommandError } from '../../../platform/commands/command.ts'
import type { Config } from '../../../platform/config/config.ts'
import { unpackArchive } from '../archive/backup-archive.ts'
import { readBackupKeys } from '../archive/backup-key.ts'
import { openTarget } from '../targets/open-target.ts'
import { restoreBackup } from './restore-backup.ts'

export interface ArchiveOptions {
  /** A file, or the name of a backup in BACKUP_TARGET. */
  copy: string
  /** File with the private key for BACKUP_KEY. */
  keyFile: string
  /** Selects the files to write; the others are only measured. */
  isKept?: (path: string) => boolean
}

/**
 * Decrypts an encrypted backup into a temporary folder inside `parent`, and restores it from there.
 * @throws CommandError when it cannot be restored here
 */
export const withUnpacked = async (
  config: Config,
  parent: string,
  { copy, keyFile, isKept }: ArchiveOptions,
  restore: (unpacked: { folder: string; origin: string }) => Promise<void>,
): Promise<void> => {
  const identities = readBackupKeys(keyFile)
  const { bytes, origin } = await openCopy(config, copy)
  const isNew = !existsSync(parent)
  const folder = join(parent, workName)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    await unpackArchive(bytes, folder, { identities, ...(isKept && { isKept }) })
    await restore({ folder, origin })
  } finally {
    rmSync(folder, { recursive: true, force: true })
    if (isNew && readdirSync(parent).length === 0) rmdirSync(parent)
  }
}

/** Hidden, because the report service does not read hidden folders. */
export const workName = '.restore-work'

/** Restores an encrypted backup. @throws CommandError when it cannot be restored here */
export const restoreArchive = (
  config: Config,
  { copy, keyFile, ...options }: ArchiveOptions & Omit<Parameters<typeof restoreBackup>[1], 'folder'>,
  tell: (sentence: string) => void,
): Promise<void> =>
  withUnpacked(config, config.dataDir, { copy, keyFile }, (unpacked) =>
    restoreBackup(config, { ...options, ...unpacked }, tell),
  )

const openCopy = async ({ backup }: Config, copy: string): Promise<{ bytes: Readable; origin: string }> => {
  if (existsSync(copy)) return { bytes: createReadStream(copy), origin: dirname(resolve(copy)) }
  const target = backup && openTarget(backup.place)
  const name = basename(copy)
  const names = target ? await target.list() : []
  if (target && names.includes(name)) return { bytes: await target.read(name), origin: target.place }
  const newest = names
    .filter((one) => one.endsWith('.tar.age'))
    .sort()
    .slice(-5)
  throw new CommandError(
    target
      ? `Não há cópia ${name} em ${target.place}. As mais novas: ${newest.join(', ') || 'nenhuma'}.`
      : `Não há arquivo ${copy}. Para restaurar de onde as cópias agendadas ficam, configure BACKUP_TARGET e BACKUP_KEY.`,
  )
}
