import { constants, copyFileSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { noneIfMissing } from '../../lib/missing-files.ts'

/*
 * Copies the embedded database's folder as of one moment, as a power cut would leave it; PGlite
 * recovers such a copy when it starts. Most files are copied while the database works. Then it
 * waits while the files changed since are copied again.
 */

/** The result of the first pass: the state of each file before it was copied. */
export interface FirstPass {
  target: string
  /** Milliseconds since the epoch. */
  startedAt: number
  states: Map<string, string>
}

/** Milliseconds. A file changed this recently may change again within one timestamp. */
const TIMESTAMP_GRANULARITY = 2_000

/** Copies a folder in use into a folder that must not exist yet. */
export const copyFirstPass = async (directory: string, target: string): Promise<FirstPass> => {
  const pass: FirstPass = { target, startedAt: Date.now(), states: new Map() }
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const { path, isFolder } of entriesOf(directory)) {
    const [from, to] = [join(directory, path), join(target, path)]
    try {
      if (isFolder) await mkdir(to, { recursive: true })
      else {
        const state = stateOf(await stat(from))
        await copyFile(from, to, constants.COPYFILE_FICLONE)
        pass.states.set(path, state)
      }
    } catch (error) {
      // The database has deleted the file since it was listed.
      noneIfMissing(error)
    }
  }
  return pass
}

/** Updates the copy to the folder's current state. The folder must not change in between. */
export const copySecondPass = (directory: string, { target, startedAt, states }: FirstPass): void => {
  const left = new Set(states.keys())
  for (const { path, isFolder } of entriesOf(directory)) {
    left.delete(path)
    const [from, to] = [join(directory, path), join(target, path)]
    if (isFolder) mkdirSync(to, { recursive: true })
    else {
      const now = statSync(from)
      const isCopied = states.get(path) === stateOf(now)
      if (isCopied && now.mtimeMs < startedAt - TIMESTAMP_GRANULARITY) continue
      copyFileSync(from, to, constants.COPYFILE_FICLONE)
    }
  }
  for (const path of left) rmSync(join(target, path))
}

const stateOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`

/** Lists folders before their content. */
const entriesOf = (directory: string): { path: string; isFolder: boolean }[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => ({
      path: relative(directory, join(entry.parentPath, entry.name)),
      isFolder: entry.isDirectory(),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
