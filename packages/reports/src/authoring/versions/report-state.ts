import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { unlessMissing } from '../../definitions/missing-files.ts'
import type { DatasetFile, DefinitionFiles, ReportFile } from '../../definitions/read-definitions.ts'
import type { Version } from './version-files.ts'

/** A report as it is in a data folder, with all that is needed to draw it. */
export type ReportState = Pick<Version, 'report' | 'dataset'> & {
  id: string
  definition: ReportFile['definition']
  /** The tables of its dataset. */
  tables: DatasetFile['definition']['tables']
  timeZone: string
  /** Paths of its data files, relative to the data folder, by name. */
  paths: Map<string, string>
  /** ISO 8601: when the newest of its files was written. */
  writtenAt: string
}

/**
 * Returns a function that reads the digest of a file; undefined when it is missing or no plain
 * file. Several names of one file are read once.
 */
export const createDigests = () => {
  const known = new Map<string, Promise<string>>()
  return async (path: string) => {
    const found = await lstat(path).catch(unlessMissing)
    if (!found?.isFile()) return undefined
    const { dev, ino, size, mtimeMs } = found
    const key = `${dev}:${ino}:${size}:${mtimeMs}`
    const digest = known.get(key) ?? digestOf(path)
    known.set(key, digest)
    // A failed read is tried again, not remembered.
    digest.catch(() => known.delete(key))
    return { digest: await digest, bytes: size, mtimeMs }
  }
}

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Returns the state of a report in `folder`; undefined without the report, its dataset or a file. */
export const stateOf = async (
  folder: string,
  { datasets, workspaces }: DefinitionFiles,
  reportId: string,
  digestOfFile: ReturnType<typeof createDigests>,
): Promise<ReportState | undefined> => {
  const reports = workspaces.flatMap((workspace) => workspace.reports)
  const report = reports.find(({ definition }) => definition.id.toLowerCase() === reportId)
  const datasetId = report?.definition.dataset.toLowerCase()
  const dataset = datasets.find(({ definition }) => definition.id.toLowerCase() === datasetId)
  if (!report || !dataset || !datasetId) return undefined
  const readers = reports.filter(({ definition }) => definition.dataset.toLowerCase() === datasetId)
  const paths = dataPaths(folder, dataset)
  const found = await Promise.all(
    [...paths].map(async ([name, path]) => ({ name, file: await digestOfFile(join(folder, path)) })),
  )
  const files = found.flatMap(({ name, file }) => (file ? [{ name, ...file }] : []))
  const reportFile = await lstat(join(folder, report.path)).catch(unlessMissing)
  if (!reportFile || files.length < found.length) return undefined
  const writtenAt = Math.max(reportFile.mtimeMs, ...files.map(({ mtimeMs }) => mtimeMs))
  return {
    writtenAt: new Date(writtenAt).toISOString(),
    id: reportId,
    report: report.text,
    definition: report.definition,
    tables: dataset.definition.tables,
    timeZone: dataset.definition.timeZone,
    paths,
    dataset: {
      id: datasetId,
      text: dataset.text,
      files: files.map(({ name, digest, bytes }) => ({ name, digest, bytes })),
      // Restored data could show rows that a role hides today, or change another report.
      isOwn: readers.length === 1 && !hasRules(dataset),
    },
  }
}

const hasRules = ({ definition: { roles, requiresIdentity } }: DatasetFile): boolean =>
  roles.length > 0 || requiresIdentity

const dataPaths = (folder: string, dataset: DatasetFile): Map<string, string> => {
  const names = new Set(Object.values(dataset.definition.tables).map(({ file }) => file))
  return new Map([...names].map((name) => [name, join(relative(folder, dataset.folder), name)]))
}

type Content = Pick<ReportState, 'report' | 'dataset'>

export const hasSameData = (one: Content, other: Content): boolean =>
  one.dataset.files.length === other.dataset.files.length &&
  one.dataset.files.every(({ name, digest }) =>
    other.dataset.files.some((file) => file.name === name && file.digest === digest),
  )

export const hasSameDefinitions = (one: Content, other: Content): boolean =>
  one.report === other.report && one.dataset.text === other.dataset.text

export const isSameState = (one: Content, other: Content): boolean =>
  hasSameDefinitions(one, other) && hasSameData(one, other)
