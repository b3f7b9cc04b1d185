import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { DatasetDefinition, ReportDefinition, VisualDefinition, WorkspaceDefinition } from './definition.ts'
import { isRecord } from './is-record.ts'
import { JsonFault, type JsonText, type Place, pathOf, readJson } from './json-text.ts'
import { unlessMissing } from './missing-files.ts'

/** Receives a fault or remark: a Portuguese sentence that starts with the file. */
export type Warn = (sentence: string) => void

/**
 * A definition file. `path` is relative to the data folder, for messages; `text` identifies its
 * version; `warn` takes sentences that start with the path, and adds the line and column of the
 * place in them.
 */
type DefinitionFile<T> = {
  path: string
  text: string
  definition: T
  warn: (sentence: string, warn: Warn) => void
  /** Set when the file became unusable, and this is its last good content. */
  isOutdated?: true
}
/** The last good content of each file, by path; used while the file is unusable. */
export type LastGood = Map<string, DefinitionFile<unknown>>
export type DatasetFile = DefinitionFile<DatasetDefinition> & { folder: string }
export type ReportFile = DefinitionFile<ReportDefinition>
/** The readable parts of an invalid report: its well-formed visuals, with their places. */
export type InvalidReportDefinition = Pick<ReportFile, 'path' | 'warn'> & {
  dataset: string
  visuals: { place: string; definition: VisualDefinition }[]
}
type WorkspaceFile = DefinitionFile<WorkspaceDefinition> & {
  reports: ReportFile[]
  invalidReports: InvalidReportDefinition[]
}
export type DefinitionFiles = { datasets: DatasetFile[]; workspaces: WorkspaceFile[] }

/** Bytes. */
const LARGEST = 2_000_000
/** Faults reported per file; authors see the rest after fixing these. */
const MAX_FAULTS = 100
const LONGEST_FAULT = 500

/**
 * Reads all definitions of the data folder, in order of file names. An unusable file is reported
 * with its place and left out, unless `lastGood` has its earlier content.
 */
export const readDefinitions = async (
  dataDir: string,
  warn: Warn,
  lastGood: LastGood = new Map(),
): Promise<DefinitionFiles> => {
  const read: Read = async <T>(file: string, schema: z.ZodType<T>, onInvalid?: OnInvalid) => {
    const found = await readDefinition(dataDir, file, schema, warn, onInvalid)
    const path = relative(dataDir, file)
    if (found) lastGood.set(path, found)
    else if (!existsSync(file)) lastGood.delete(path)
    // This function added it, with the schema of the same path.
    const earlier = lastGood.get(path) as DefinitionFile<T> | undefined
    return found ?? (earlier && { ...earlier, isOutdated: true as const })
  }

  const readEach = async <File>(kind: string, readOne: (folder: string, read: Read) => Promise<File>) => {
    const files: File[] = []
    for (const folder of await foldersOf(join(dataDir, kind))) files.push(await readOne(folder, read))
    return files.filter((file) => file !== undefined)
  }
  return {
    datasets: await readEach('datasets', readDataset),
    workspaces: await readEach('workspaces', readWorkspace),
  }
}

type OnInvalid = (found: Pick<DefinitionFile<unknown>, 'path' | 'warn'> & { value: unknown }) => void
type Read = <T>(
  file: string,
  schema: z.ZodType<T>,
  onInvalid?: OnInvalid,
) => Promise<DefinitionFile<T> | undefined>

const readDataset = async (folder: string, read: Read): Promise<DatasetFile | undefined> => {
  const file = await read(join(folder, 'dataset.json'), DatasetDefinition)
  return file && { ...file, folder }
}

const readWorkspace = async (folder: string, read: Read): Promise<WorkspaceFile | undefined> => {
  const file = await read(join(folder, 'workspace.json'), WorkspaceDefinition)
  if (!file) return undefined
  const reports: ReportFile[] = []
  const invalidReports: InvalidReportDefinition[] = []
  for (const name of await namesOf(folder, (entry) => entry.isFile() && isReportFile(entry.name))) {
    const report = await read(join(folder, name), ReportDefinition, ({ value, ...found }) => {
      const { data } = RightParts.safeParse(value)
      if (data) invalidReports.push({ ...found, ...data })
    })
    if (report) reports.push(report)
  }
  return { ...file, reports, invalidReports }
}

const RightParts = z
  .object({
    dataset: z.guid(),
    pages: z.array(z.object({ visuals: z.array(z.unknown()) }).catch({ visuals: [] })),
  })
  .transform(({ dataset, pages }) => ({
    dataset,
    visuals: pages.flatMap(({ visuals }, page) =>
      visuals.flatMap((visual, index) => {
        const { data: definition } = VisualDefinition.safeParse(visual)
        return definition ? [{ place: `pages[${page}].visuals[${index}]`, definition }] : []
      }),
    ),
  }))

/** Reads one folder of an author; paths are relative to it. A later load reports its faults. */
export const readUnit = async (
  folder: string,
): Promise<{ dataset?: DatasetFile; workspace?: WorkspaceFile }> => {
  const read: Read = (file, schema) => readDefinition(folder, file, schema, () => {})
  const [dataset, workspace] = await Promise.all([readDataset(folder, read), readWorkspace(folder, read)])
  return { ...(dataset && { dataset }), ...(workspace && { workspace }) }
}

const readDefinition = async <T>(
  dataDir: string,
  file: string,
  schema: z.ZodType<T>,
  warn: Warn,
  onInvalid?: OnInvalid,
): Promise<DefinitionFile<T> | undefined> => {
  const path = relative(dataDir, file)
  try {
    const found = await stat(file)
    // Reading a named pipe would never end.
    if (!found.isFile()) {
      warn(`${path}: não é um arquivo comum`)
      return undefined
    }
    const { size } = found
    if (size > LARGEST) {
      warn(`${path}: tem ${Math.ceil(size / 1_000_000)} MB; o limite é ${LARGEST / 1_000_000} MB`)
      return undefined
    }
    const text = await readFile(file, 'utf8')
    const json = readJson(text)
    const value = withoutSchema(json.value)
    const parsed = schema.safeParse(value, { error: portuguese })
    const here: Pick<DefinitionFile<T>, 'path' | 'warn'> = {
      path,
      warn: (sentence, tell) => tell(located(path, json, sentence)),
    }
    if (parsed.success) return { ...here, text, definition: parsed.data }
    const issues = parsed.error.issues.flatMap(closest)
    for (const issue of issues.slice(0, MAX_FAULTS)) {
      const steps = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
      const message = issue.message.slice(0, LONGEST_FAULT)
      warn(`${path}: ${placeOf(issue.path)}${message} ${said(json.placeOf(steps))}`)
    }
    const more = issues.length - MAX_FAULTS
    if (more > 0) warn(`${path}: e mais ${more} ${more === 1 ? 'falta' : 'faltas'}`)
    onInvalid?.({ ...here, value })
  } catch (error) {
    warn(`${path}: ${unreadable(error)}`)
  }
  return undefined
}

/** Says why a definition could not be read. */
export const unreadable = (error: unknown): string =>
  error instanceof JsonFault
    ? `não pôde ser lido: ${error.message} ${said(error.place)}`
    : `não pôde ser lido (${error instanceof Error ? error.message : error})`

const said = ({ line, column }: Place) => `(linha ${line}, coluna ${column})`

/** Appends the line and column of the place in `<path>: <place>: …`. */
const located = (path: string, json: JsonText, sentence: string): string => {
  const [, place] = /^([\w$.[\]-]+): /.exec(sentence.slice(path.length + 2)) ?? []
  return place && !/: [\w.-]+\.(csv|tsv|txt|parquet): /.test(sentence)
    ? `${sentence} ${said(json.placeOf(pathOf(place)))}`
    : sentence
}

/** Removes `$schema`, by which editors find the JSON Schema. */
const withoutSchema = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const { $schema, ...rest } = value
  return typeof $schema === 'string' ? rest : value
}

const locale = z.locales.pt().localeError
const portuguese: typeof locale = (issue) =>
  issue.code === 'invalid_type' && issue.input === undefined ? 'falta este campo' : locale(issue)

/** Writes a path as `pages[0].visuals[2].query: `. */
const placeOf = (path: PropertyKey[]): string => {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return place ? `${place.replace(/^\./, '')}: ` : ''
}

/** For a union, returns the issues of the variant with the fewest. */
const closest = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] => {
  if (issue.code !== 'invalid_union' || !issue.errors.length) return [issue]
  const [best = []] = issue.errors.toSorted((one, other) => one.length - other.length)
  return best.flatMap(closest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

const isReportFile = (name: string) => name.endsWith('.json') && name !== 'workspace.json'

const foldersOf = async (dir: string) =>
  (await namesOf(dir, (entry) => entry.isDirectory())).map((name) => join(dir, name))

const namesOf = async (dir: string, isWanted: (entry: Kind & { name: string }) => boolean) => {
  // Without the folder, nothing is published yet.
  const entries = (await readdir(dir, { withFileTypes: true }).catch(unlessMissing)) ?? []
  return entries
    .filter(isWanted)
    .map(({ name }) => name)
    .sort()
}
type Kind = { isFile(): boolean; isDirectory(): boolean }
