import { createHash } from 'node:crypto'
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
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BackupFile } from './manifest.ts'

/**
 * Folders of DATA_DIR that are data. Not among them: the database, which is copied by its rows; the keys, which are kept
 * apart; `outbox`, whose messages have left as far as the portal is concerned, and may carry links that still open an
 * account.
 */
export const dataFolders = ['attachments', 'reports']

/** The report service's own credentials: they go with the keys. */
export const credentialFiles = ['reports/service.json']

/** Paths of the data's files, relative to DATA_DIR, with `/`. */
export const listDataFiles = (dataDir: string, folders: readonly string[] = dataFolders): string[] =>
  folders
    .filter((folder) => existsSync(join(dataDir, folder)))
    .flatMap((folder) =>
      readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true })
        // A link could lead anywhere; nothing of ours makes one.
        .filter((entry) => entry.isFile())
        .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)).split(sep).join('/')),
    )
    .filter((path) => !credentialFiles.includes(path))
    // An attachment on its way: under its own name there is a whole file or none.
    .filter((path) => !/^attachments\/.*\.new$/.test(path))
    // Reports drawn as files, which expire within the hour.
    .filter((path) => !path.startsWith('reports/.exportacoes/'))
    .sort()

/** Writes a file that only its owner reads, to the disk, and tells what was written. */
export const writeStream = async (
  source: Readable,
  through: Transform[],
  target: string,
): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash('sha256')
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  // In place whole or not at all: what is there under its own name was written to the end.
  const partial = `${target}.partial`
  await pipeline([source, ...through, meter, createWriteStream(partial, { mode: 0o600, flush: true })])
  renameSync(partial, target)
  return { bytes, sha256: hash.digest('hex') }
}

export const copyFile = async (from: string, to: string): Promise<{ bytes: number; sha256: string }> =>
  writeStream(createReadStream(from), [], to)

/** @throws Error when the file was changed after it was judged: what is in place is what the manifest says, or nothing */
export const copyJudged = async (from: string, to: string, { sha256 }: BackupFile): Promise<void> => {
  if ((await copyFile(from, to)).sha256 === sha256) return
  rmSync(to)
  throw new Error(`${from} was changed while it was copied.`)
}

/** Whether the file is there and holds what was written. */
export const isWhole = async (folder: string, { caminho, bytes, sha256 }: BackupFile): Promise<boolean> => {
  const hash = createHash('sha256')
  let read = 0
  try {
    for await (const chunk of createReadStream(join(folder, caminho))) {
      hash.update(chunk as Buffer)
      read += (chunk as Buffer).length
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  return read === bytes && hash.digest('hex') === sha256
}
