import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { unlessMissing } from '../../definitions/missing-files.ts'
import { PUBLICATION_DIR } from '../../definitions/publication-dir.ts'

/*
 * Each publication of a report adds a version: `.publicacao/versoes/<report>/<number>.json`. Data
 * that a publication replaced is in `dados/<digest>` next to it; the data of the newest version is
 * only in its own place.
 */

/** Where a version comes from: the portal, the command line, or an edit in the data folder. */
export const Origin = z.enum(['portal', 'command', 'folder'])
export type Origin = z.infer<typeof Origin>

const DataFile = z.object({ name: z.string(), digest: z.string(), bytes: z.number() })
const Version = z.object({
  number: z.int().positive(),
  /** ISO 8601. */
  at: z.string(),
  /** Empty when it is not known, as after an edit in the data folder. */
  author: z.string(),
  origin: Origin,
  /** Portuguese sentences. */
  changes: z.array(z.string()),
  /** Only the data differs from the version before. */
  isDataOnly: z.boolean(),
  /** The report's definition. */
  report: z.string(),
  dataset: z.object({
    id: z.string(),
    text: z.string(),
    files: z.array(DataFile),
    /** Whether its data may be restored: without roles, and of this report only. */
    isOwn: z.boolean(),
  }),
})
export type Version = z.infer<typeof Version>

/** The folder of all versions, relative to the data folder. */
export const VERSIONS_DIR = join(PUBLICATION_DIR, 'versoes')

/** Returns the folder of a report's versions, relative to the data folder. */
export const versionsFolder = (reportId: string): string => join(VERSIONS_DIR, reportId.toLowerCase())
export const versionFile = (reportId: string, number: number): string =>
  join(versionsFolder(reportId), `${number}.json`)
export const keptData = (reportId: string, digest: string): string =>
  join(versionsFolder(reportId), 'dados', digest)

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(unlessMissing)) ?? []

/** Returns the versions of a report, the newest first. */
export const readVersions = async (dataDir: string, reportId: string): Promise<Version[]> => {
  const numbers = await versionNumbers(dataDir, reportId)
  const read = numbers.map((number) => readVersion(dataDir, reportId, number))
  return (await Promise.all(read)).filter((version) => version !== undefined)
}

/** Returns the numbers of a report's versions, the newest first. */
const versionNumbers = async (dataDir: string, reportId: string): Promise<number[]> => {
  const names = await namesIn(join(dataDir, versionsFolder(reportId)))
  return names.flatMap((name) => versionNumber(name) ?? []).sort((one, other) => other - one)
}

/** Returns the number of a version's file; undefined for any other file. */
export const versionNumber = (name: string): number | undefined =>
  /^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : undefined

/** Returns a version; undefined when there is none, or its file was damaged. */
export const readVersion = async (
  dataDir: string,
  reportId: string,
  number: number,
): Promise<Version | undefined> => {
  const text = await readFile(join(dataDir, versionFile(reportId, number)), 'utf8').catch(unlessMissing)
  return text === undefined ? undefined : versionIn(text)
}

const versionIn = (text: string): Version | undefined => {
  try {
    return Version.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the bytes of each kept data file of a report, by digest. */
export const keptBytes = async (dataDir: string, reportId: string): Promise<Map<string, number>> => {
  const folder = join(versionsFolder(reportId), 'dados')
  const names = await namesIn(join(dataDir, folder))
  const sizes = names.map(async (name) => [name, (await stat(join(dataDir, folder, name))).size] as const)
  return new Map(await Promise.all(sizes))
}

/** Returns the bytes of the data that the versions of all other reports keep. */
export const bytesOfOthers = async (dataDir: string, reportId: string): Promise<number> => {
  const ids = await namesIn(join(dataDir, VERSIONS_DIR))
  const others = ids.filter((id) => id !== reportId.toLowerCase())
  const sizes = await Promise.all(others.map((id) => keptBytes(dataDir, id)))
  return sizes.flatMap((of) => [...of.values()]).reduce((sum, bytes) => sum + bytes, 0)
}

/** Returns all files of a report's versions, relative to the data folder. */
export const filesOfVersions = async (dataDir: string, reportId: string): Promise<string[]> => {
  const folder = versionsFolder(reportId)
  const digests = await namesIn(join(dataDir, folder, 'dados'))
  const names = (await namesIn(join(dataDir, folder))).filter((name) => name.endsWith('.json'))
  return [
    ...digests.map((digest) => join(folder, 'dados', digest)),
    ...names.map((name) => join(folder, name)),
  ]
}
