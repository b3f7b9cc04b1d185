import { createReadStream, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { CommandError } from '../commands/command.ts'
import type { Config } from '../config/config.ts'
import { unpackArchive } from './backup-archive.ts'
import { readBackupKeys } from './backup-key.ts'
import { openTarget } from './open-target.ts'
import { restoreBackup } from './restore-backup.ts'

interface ArchiveOptions extends Omit<Parameters<typeof restoreBackup>[1], 'folder'> {
  /** A file, or the name of a backup in BACKUP_TARGET. */
  copy: string
  /** File with the private key for BACKUP_KEY. */
  keyFile: string
}

/**
 * Decrypts an encrypted backup into a temporary folder inside the data folder, and restores it.
 * @throws CommandError when it cannot be restored here
 */
export const restoreArchive = async (
  config: Config,
  { copy, keyFile, ...options }: ArchiveOptions,
  tell: (sentence: string) => void,
): Promise<void> => {
  const identities = readBackupKeys(keyFile)
  const { bytes, origin } = await openCopy(config, copy)
  const { dataDir } = config
  const isNew = !existsSync(dataDir)
  const folder = join(dataDir, 'restore-work')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    await unpackArchive(bytes, folder, { identities })
    await restoreBackup(config, { ...options, folder, origin }, tell)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    if (isNew && readdirSync(dataDir).length === 0) rmdirSync(dataDir)
  }
}

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
