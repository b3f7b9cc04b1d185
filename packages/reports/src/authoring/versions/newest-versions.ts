import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../../definitions/missing-files.ts'
import { readVersion, VERSIONS_DIR, type Version, versionFile, versionNumber } from './version-files.ts'

/** What a list shows of a version. */
type VersionSummary = Pick<Version, 'number' | 'at' | 'author' | 'origin' | 'changes'>

export const summaryOf = ({ number, at, author, origin, changes }: Version): VersionSummary => ({
  number,
  at,
  author,
  origin,
  changes,
})

type Newest = {
  /** The number of versions. */
  count: number
  /** Undefined when its file was damaged. */
  last: VersionSummary | undefined
}

/**
 * Returns a function that returns the newest version of every report, by lower-case id. The folders
 * are read at once, and a file only when it is another one than at the last call.
 */
export const createNewestVersions = (dataDir: string): (() => Promise<Map<string, Newest>>) => {
  const read = new Map<string, { changedAt: number; last: VersionSummary | undefined }>()

  const newestOf = async (id: string, numbers: number[]): Promise<[string, Newest]> => {
    const file = versionFile(id, Math.max(...numbers))
    const changedAt = (await stat(join(dataDir, file)).catch(unlessMissing))?.mtimeMs ?? 0
    const known = read.get(file)
    if (known?.changedAt === changedAt) return [id, { count: numbers.length, last: known.last }]
    const version = await readVersion(dataDir, id, Math.max(...numbers))
    const last = version && summaryOf(version)
    read.set(file, { changedAt, last })
    return [id, { count: numbers.length, last }]
  }

  return async () => {
    const entries = await readdir(join(dataDir, VERSIONS_DIR), { recursive: true }).catch(unlessMissing)
    const numbers = new Map<string, number[]>()
    for (const entry of entries ?? []) {
      const [id = '', name = '', ...below] = entry.split(/[/\\]/)
      const number = below.length === 0 ? versionNumber(name) : undefined
      if (number !== undefined) numbers.set(id, [...(numbers.get(id) ?? []), number])
    }
    const newest = new Map(await Promise.all([...numbers].map((one) => newestOf(...one))))
    const current = new Set([...numbers].map(([id, all]) => versionFile(id, Math.max(...all))))
    for (const file of read.keys()) if (!current.has(file)) read.delete(file)
    return newest
  }
}
