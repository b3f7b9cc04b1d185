import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { DatasetDefinition, ReportDefinition, WorkspaceDefinition } from './definition.ts'

/** `path` is relative to the data folder, for messages. */
export type DatasetFile = { path: string; folder: string; definition: DatasetDefinition }
export type ReportFile = { path: string; definition: ReportDefinition }
export type WorkspaceFile = { path: string; definition: WorkspaceDefinition; reports: ReportFile[] }

/**
 * Reads every definition of the data folder, in the order of file names. A file that cannot be used is left out and
 * said in `warn`, with its place.
 */
export async function readDefinitions(dataDir: string, warn: (sentence: string) => void) {
  const read = <T>(path: string, schema: z.ZodType<T>) => readDefinition(dataDir, path, schema, warn)

  const datasets: DatasetFile[] = []
  for (const folder of await foldersOf(join(dataDir, 'datasets'))) {
    const path = join(folder, 'dataset.json')
    const definition = await read(path, DatasetDefinition)
    if (definition) datasets.push({ path: relative(dataDir, path), folder, definition })
  }
  const workspaces: WorkspaceFile[] = []
  for (const folder of await foldersOf(join(dataDir, 'workspaces'))) {
    const path = join(folder, 'workspace.json')
    const definition = await read(path, WorkspaceDefinition)
    if (!definition) continue
    const reports: ReportFile[] = []
    for (const name of await namesOf(folder, (entry) => entry.isFile() && isReportFile(entry.name))) {
      const report = await read(join(folder, name), ReportDefinition)
      if (report) reports.push({ path: relative(dataDir, join(folder, name)), definition: report })
    }
    workspaces.push({ path: relative(dataDir, path), definition, reports })
  }
  return { datasets, workspaces }
}

async function readDefinition<T>(
  dataDir: string,
  path: string,
  schema: z.ZodType<T>,
  warn: (sentence: string) => void,
): Promise<T | undefined> {
  const name = relative(dataDir, path)
  try {
    const parsed = schema.safeParse(JSON.parse(await readFile(path, 'utf8')), { error: portuguese })
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues.flatMap(closest)) {
      warn(`${name}: ${placeOf(issue.path)}${issue.message}`)
    }
  } catch (error) {
    warn(`${name}: não pôde ser lido (${error instanceof Error ? error.message : error})`)
  }
  return undefined
}

const portuguese = z.locales.pt().localeError

/** `pages[0].visuals[2].query: ` */
function placeOf(path: PropertyKey[]): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return place ? `${place.replace(/^\./, '')}: ` : ''
}

/** Where several forms are allowed, speaks of the one that the author came closest to. */
function closest(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || !issue.errors.length) return [issue]
  const [best = []] = issue.errors.toSorted((one, other) => one.length - other.length)
  return best.flatMap(closest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

const isReportFile = (name: string) => name.endsWith('.json') && name !== 'workspace.json'

async function foldersOf(dir: string): Promise<string[]> {
  return (await namesOf(dir, (entry) => entry.isDirectory())).map((name) => join(dir, name))
}

async function namesOf(
  dir: string,
  isWanted: (entry: { name: string } & Kind) => boolean,
): Promise<string[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true })
    return entries
      .filter(isWanted)
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    // No folder yet: nothing published.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
type Kind = { isFile(): boolean; isDirectory(): boolean }
