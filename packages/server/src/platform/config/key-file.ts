import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncNow } from '../lib/sync-folder.ts'

/** Path of the secrets of an installation without `APP_SECRET`: one per line, newest first. */
export const keyFileOf = (dataDir: string): string => join(dataDir, 'app-secret.key')

/** The secret of a rotation in progress; the file exists from its first step to its last. */
const pendingOf = (dataDir: string): string => `${keyFileOf(dataDir)}.rotating`

const newSecret = (): string => randomBytes(48).toString('base64url')

/** @returns the secrets of the file, newest first; creates the file when missing */
export const readKeyFile = (dataDir: string): string[] => {
  const path = keyFileOf(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    // Exclusive: of two processes that start together, one writes and both read.
    writeFileSync(path, newSecret(), { mode: 0o600, flag: 'wx', flush: true })
    syncNow(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  chmodSync(path, 0o600)
  return linesOf(path)
}

/** Adds a new secret at the top; after an interrupted rotation, the one created then. */
export const beginKeyRotation = (dataDir: string): void => {
  const pending = pendingOf(dataDir)
  const secrets = readKeyFile(dataDir)
  if (!existsSync(pending)) writeWhole(pending, newSecret())
  const [fresh = ''] = linesOf(pending)
  if (!secrets.includes(fresh)) writeWhole(keyFileOf(dataDir), [fresh, ...secrets].join('\n'))
}

export const endKeyRotation = (dataDir: string): void => {
  rmSync(pendingOf(dataDir), { force: true })
  syncNow(dataDir)
}

/** Writes the file atomically: a crash leaves the old text or the new one. */
export const writeWhole = (path: string, text: string): void => {
  const fresh = `${path}.new`
  rmSync(fresh, { force: true })
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(fresh, path)
  syncNow(dirname(path))
}

/** Returns the secrets of a key file, newest first. */
export const linesOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
