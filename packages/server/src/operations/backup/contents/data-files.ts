import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { noneIfMissing } from '../../../platform/lib/missing-files.ts'
import type { Written } from '../targets/backup-target.ts'
import { createMeter } from '../targets/meter.ts'
import type { BackupFile } from './manifest.ts'

/**
 * Folders of DATA_DIR that are copied. Not the database, which is copied by its rows; not the keys,
 * which are kept apart; not the report service's, which sends its own (report-files.ts); not
 * `outbox`, whose messages count as sent and may contain valid account links.
 */
const dataFolders = ['attachments']

/** The report service's credentials, which are stored with the keys. */
export const serviceCredentials = 'reports/service.json'

/** Returns the paths of the data files, relative to DATA_DIR, with `/`. */
export const listDataFiles = (dataDir: string, folders: readonly string[] = dataFolders): string[] =>
  folders
    .filter((folder) => existsSync(join(dataDir, folder)))
    .flatMap((folder) =>
      readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true })
        // A link could lead outside; the portal creates none.
        .filter((entry) => entry.isFile())
        .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)).split(sep).join('/')),
    )
    // An attachment being written; complete files have another name.
    .filter((path) => !/^attachments\/.*\.new$/.test(path))
    .sort()

/** Writes a synced file with mode 0600, and measures it. */
export const writeStream = async (
  source: Readable,
  through: Transform[],
  target: string,
): Promise<Written> => {
  const { meter, result } = createMeter()
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  // Renamed at the end, so that a file under its final name is complete.
  const partial = `${target}.partial`
  await pipeline([source, ...through, meter, createWriteStream(partial, { mode: 0o600, flush: true })])
  renameSync(partial, target)
  return result()
}

export const copyFile = (from: string, to: string): Promise<Written> =>
  writeStream(createReadStream(from), [], to)

/**
 * Copies a file and compares its digest with the manifest.
 * @throws Error when the file has changed since it was checked; the copy is deleted
 */
export const copyValidated = async (from: string, to: string, { sha256 }: BackupFile): Promise<void> => {
  if ((await copyFile(from, to)).sha256 === sha256) return
  rmSync(to)
  throw new Error(`${from} was changed while it was copied.`)
}

/** Returns whether the file exists with the size and digest of the manifest. */
export const isWhole = async (folder: string, { caminho, bytes, sha256 }: BackupFile): Promise<boolean> => {
  const { meter, result } = createMeter()
  const reading = pipeline(createReadStream(join(folder, caminho)), meter.resume())
  if (!(await reading.then(() => true, noneIfMissing))) return false
  const found = result()
  return found.bytes === bytes && found.sha256 === sha256
}
