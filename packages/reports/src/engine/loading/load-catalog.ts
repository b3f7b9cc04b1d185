import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DatasetFile,
  type LastGood,
  type ReportFile,
  readDefinitions,
  type Warn,
} from '../../definitions/read-definitions.ts'
import type { Catalog, Dataset, Report } from '../data/catalog.ts'
import type { Database } from '../data/database/database.ts'
import { type AuthorRights, PUBLISHED_ROWS } from './author-rights.ts'
import { copyTables, loadDataset, sentenceOf } from './load-dataset.ts'
import { checkVisuals, loadReport } from './load-report.ts'

type Sources = {
  dataDir: string
  /** Opens a new database, for one dataset in this time zone. */
  open: (timeZone: string) => Promise<Database>
  /** Megabytes for queries, besides a dataset's data. */
  roomMegabytes?: number
  /** The catalog in use: what has not changed or has become unusable is taken from it. */
  previous?: Catalog
  /** Ids of datasets to load. Reports of others are left out, but their ids count as used. */
  only?: Set<string>
  /** By default those of the service. */
  rights?: AuthorRights
  /** The datasets of which visuals are compared with and without their aggregation tables. */
  compares?: (id: string) => boolean
}
/** The source of a loaded object, and its warnings. */
type Origin = { source: string; warnings: string[] }

const origins = new WeakMap<Dataset | Report, Origin>()
const definitionsOf = new WeakMap<Catalog, LastGood>()

/** Reports that are checked side by side, one for each connection of a database. */
const LOADED_AT_ONCE = 4

/**
 * Reads the data folder, each dataset into its own database, which is sealed before any SQL of
 * authors runs. Unusable files are left out, with a warning that names file and place.
 */
export const loadCatalog = async (sources: Sources): Promise<Catalog> => {
  const { dataDir, previous, only, rights = PUBLISHED_ROWS } = sources
  const warnings: string[] = []
  const warn = (sentence: string) => warnings.push(sentence)
  const lastGood: LastGood = new Map(previous && definitionsOf.get(previous))
  const files = await readDefinitions(dataDir, warn, lastGood)

  const datasets = new Map<string, Dataset>()
  const catalog: Catalog = {
    workspaces: new Map(),
    reports: new Map(),
    datasets,
    warnings,
    outdated: new Set(),
    files: new Set(),
  }
  definitionsOf.set(catalog, lastGood)
  try {
    const seen = new Set<string>()
    const seenReports = new Map<string, string>()
    for (const file of files.datasets) {
      const id = file.definition.id.toLowerCase()
      if (seen.has(id)) {
        file.warn(`${file.path}: id: já usado por outro conjunto de dados`, warn)
        continue
      }
      seen.add(id)
      if (only && !only.has(id)) continue
      const dataset = await datasetOf(sources, file, warn, () => catalog.outdated.add(id))
      if (!dataset) continue
      datasets.set(id, dataset)
      catalog.files.add(file.path)
    }
    for (const { path, definition, reports, invalidReports, warn: warnHere } of files.workspaces) {
      const id = definition.id.toLowerCase()
      if (catalog.workspaces.has(id)) {
        warnHere(`${path}: id: já usado por outro workspace`, warn)
        continue
      }
      const loaded: Report[] = []
      const usable = reports.filter((file) => {
        const reportId = file.definition.id.toLowerCase()
        const other = seenReports.get(reportId)
        if (other !== undefined) file.warn(`${file.path}: id: já usado por outro relatório, ${other}`, warn)
        else seenReports.set(reportId, file.path)
        return other === undefined && (!only || only.has(file.definition.dataset.toLowerCase()))
      })
      for (let first = 0; first < usable.length; first += LOADED_AT_ONCE) {
        const group = usable.slice(first, first + LOADED_AT_ONCE)
        const outcomes = await Promise.all(
          group.map(async (file) => {
            const sentences: string[] = []
            const report = await reportOf(catalog, sources, file, id, (text) => sentences.push(text))
            return { file, report, sentences }
          }),
        )
        for (const { file, report, sentences } of outcomes) {
          sentences.forEach(warn)
          if (!report) continue
          loaded.push(report)
          catalog.reports.set(report.id, report)
          catalog.files.add(file.path)
        }
      }
      // For authors: reports all faults at once. Logs get only the faults of the schema.
      for (const file of rights.quotesData ? invalidReports : []) {
        const dataset = datasets.get(file.dataset.toLowerCase())
        if (dataset) await checkVisuals(file, dataset, (text) => file.warn(text, warn), rights)
      }
      catalog.files.add(path)
      catalog.workspaces.set(id, { id, name: definition.name, reports: loaded })
    }
  } catch (error) {
    await closeCatalog(catalog, previous)
    throw error
  }
  return catalog
}

/** Closes the databases of a catalog, except those that another catalog also uses. */
export const closeCatalog = async ({ datasets }: Catalog, except?: Catalog): Promise<void> => {
  const used = new Set([...(except?.datasets.values() ?? [])].map(({ database }) => database))
  const own = [...datasets.values()].map(({ database }) => database)
  await Promise.all(own.filter((database) => !used.has(database)).map((database) => database.close()))
}

/** Returns whether what is in use has this source, and then repeats its warnings. */
const isUnchanged = (known: Dataset | Report | undefined, source: string, warn: Warn): boolean => {
  const origin = known && origins.get(known)
  if (origin?.source !== source) return false
  origin.warnings.forEach(warn)
  return true
}

/** Returns the dataset in its folder, or the one in use if unchanged or no longer loadable. */
const datasetOf = async (
  sources: Sources,
  file: DatasetFile,
  warn: Warn,
  onOutdated: () => void,
): Promise<Dataset | undefined> => {
  if (file.isOutdated) onOutdated()
  const known = sources.previous?.datasets.get(file.definition.id.toLowerCase())
  for (let attempt = 1; ; attempt++) {
    const source = await sourceOf(file)
    if (isUnchanged(known, source, warn)) return known
    const said: string[] = []
    const dataset = await openDataset(sources, file, (sentence) =>
      file.warn(sentence, (text) => said.push(text)),
    )
    // Files that were replaced during the read may be of two versions.
    if (attempt < 3 && (await sourceOf(file)) !== source) {
      await dataset?.database.close()
      continue
    }
    said.forEach(warn)
    if (dataset) origins.set(dataset, { source, warnings: said })
    else if (known) {
      onOutdated()
      warn(`${file.path}: continua no ar a versão anterior deste conjunto de dados`)
    }
    return dataset ?? known
  }
}

const openDataset = async (
  sources: Sources,
  file: DatasetFile,
  warn: Warn,
  mayRepeat = true,
): Promise<Dataset | undefined> => {
  const { open, roomMegabytes, rights = PUBLISHED_ROWS } = sources
  const database = await open(file.definition.timeZone)
  const said: string[] = []
  const say = (sentence: string) => said.push(sentence)
  let dataset: Dataset | undefined
  try {
    const copied = await copyTables(database, file, 'dataset', say, rights)
    // After this, SQL of authors runs: no files, no network, no settings.
    if (copied.errors.length === 0) await database.seal(roomMegabytes)
    dataset = await loadDataset(copied, say)
  } catch (error) {
    say(`${file.path}: ${sentenceOf(error, rights.quotesData)}`)
  }
  // A reader's query may have ended the process.
  const isRepeated = database.isLost() && mayRepeat
  if (!dataset) await database.close()
  if (isRepeated) return openDataset(sources, file, warn, false)
  said.forEach(warn)
  return dataset
}

const reportOf = async (
  { datasets }: Catalog,
  { previous, compares, rights = PUBLISHED_ROWS }: Sources,
  file: ReportFile,
  workspaceId: string,
  warn: Warn,
): Promise<Report | undefined> => {
  const { path, definition, text } = file
  const id = definition.id.toLowerCase()
  const dataset = datasets.get(definition.dataset.toLowerCase())
  if (!dataset) {
    file.warn(`${path}: dataset: ${definition.dataset} não existe ou não pôde ser carregado`, warn)
    return undefined
  }
  const source = JSON.stringify([workspaceId, path, text])
  const known = previous?.reports.get(id)
  const isSameData = known?.dataset === dataset && known.workspaceId === workspaceId
  if (isSameData && isUnchanged(known, source, warn)) return known
  const said: string[] = []
  const report = await loadReport(
    file,
    workspaceId,
    dataset,
    (sentence) => file.warn(sentence, (located) => said.push(located)),
    { rights, compares: compares?.(dataset.id) },
  )
  said.forEach(warn)
  if (report) origins.set(report, { source, warnings: said })
  else if (isSameData) warn(`${path}: continua no ar a versão anterior deste relatório`)
  return report ?? (isSameData ? known : undefined)
}

/** Identifies a version of a dataset: its definition, and size, time and inode of its files. */
const sourceOf = async ({ folder, text, definition }: DatasetFile): Promise<string> => {
  const names = [...new Set(Object.values(definition.tables).map(({ file }) => file))]
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(folder, name), { bigint: true }).catch(() => undefined)
      return [name, String(found?.size), String(found?.mtimeNs), String(found?.ino)]
    }),
  )
  return JSON.stringify([folder, text, files])
}
