import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { Catalog, Report } from '../../engine/data/catalog.ts'
import { LEAST_MEGABYTES } from '../../engine/data/database/database.ts'
import { createDatabaseProcess, type DatabaseProcess } from '../../engine/data/database/database-process.ts'
import { ownRows } from '../../engine/loading/author-rights.ts'
import { closeCatalog, loadCatalog } from '../../engine/loading/load-catalog.ts'
import { notFound } from '../../http/power-bi-error.ts'
import { oneAtATime } from '../publish/one-at-a-time.ts'
import { prepare } from '../publish/prepare.ts'
import { type Draft, draftFolder, draftsFolder } from './files/draft-files.ts'
import { type Publication, writeDraftFolder } from './files/draft-folder.ts'
import { asAuthorKnows, type FolderDraft, rootOf } from './files/folder-draft.ts'
import { whyUnusable } from './publish-draft.ts'

/*
 * A preview is the report of a draft, which only its own id opens: no list, export or other token
 * knows it. Its files are in the draft's folder, so that each process of the service can show it.
 * All previews share a database process of their own, so that no query of an unpublished report can
 * end the process that answers readers.
 */

const Mark = z.object({
  /** The folder of this version, in that of the draft. */
  version: z.guid(),
  reportId: z.guid(),
  /** The only dataset to load, when the folder has others too. */
  dataset: z.string().optional(),
  /** Milliseconds since the epoch. */
  until: z.number(),
})
type Mark = z.infer<typeof Mark>
type Loaded = Mark & { catalog: Catalog }
type Shown = { faults: string[]; report?: Report }
/** Fills a folder like a data folder, and returns the report's file. */
type Write = (folder: string, reportId: string) => Promise<Written>
type Written = { faults: string[] } | { reportFile: string; dataset?: string }
type Options = { dataDir: string; memoryMegabytes: number; queryTimeoutMs: number; now: () => number }

/** Seconds that a token opens a preview. */
export const PREVIEW_SECONDS = 600
/** Previews in memory; another one takes the place of the one that was not used for longest. */
export const MAX_PREVIEWS = 4
/** Milliseconds between looks for previews whose time is over. */
const SWEEP_MS = 30_000
/** Milliseconds for one statement that reads the file. */
const LOAD_MS = 60_000

const MARK_FILE = 'previa.json'
const versionFolder = (folder: string, { version }: Pick<Mark, 'version'>) =>
  join(folder, `previa-${version}`)

export type Previews = ReturnType<typeof createPreviews>

export const createPreviews = ({ dataDir, memoryMegabytes, queryTimeoutMs, now }: Options) => {
  /** Keyed by the id of the draft; the last used is at the end. */
  const loaded = new Map<string, Loaded>()
  const readers = new Map<Catalog, number>()
  let databases: DatabaseProcess | undefined
  /** One at a time: each may end previews of others. */
  const inTurn = oneAtATime()

  async function end(id: string) {
    const preview = loaded.get(id)
    loaded.delete(id)
    if (preview) await closeUnread(preview.catalog)
  }

  async function closeUnread(catalog: Catalog) {
    const isUsed = readers.has(catalog) || [...loaded.values()].some((one) => one.catalog === catalog)
    if (!isUsed) await closeCatalog(catalog)
  }

  /** Keeps a preview open until the work ends, also when another one takes its place. */
  async function holding<T>(catalog: Catalog, work: () => Promise<T>): Promise<T> {
    readers.set(catalog, (readers.get(catalog) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = (readers.get(catalog) ?? 1) - 1
      if (left > 0) readers.set(catalog, left)
      else readers.delete(catalog)
      void closeUnread(catalog)
    }
  }

  async function endOld() {
    for (const [id, { until }] of loaded) if (until <= now()) await end(id)
    if (loaded.size > 0 || readers.size > 0) return
    const idle = databases
    databases = undefined
    await idle?.close()
  }

  const open = (timeZone: string) => {
    databases ??= createDatabaseProcess({ memoryMegabytes })
    const held = [...loaded.values()]
      .flatMap(({ catalog }) => [...catalog.datasets.values()])
      .reduce((sum, { database }) => sum + database.dataMegabytes(), 0)
    const left = Math.max(LEAST_MEGABYTES, Math.floor(memoryMegabytes - held))
    return databases.open({ memoryMegabytes: left, timeoutMs: queryTimeoutMs, loadMs: LOAD_MS, timeZone })
  }

  /** Loads a version of a preview, and returns its report, or why it cannot be shown. */
  async function load(id: string, folder: string, mark: Mark): Promise<Report | string[]> {
    const catalog = await loadCatalog({
      dataDir: versionFolder(folder, mark),
      open,
      rights: ownRows(() => true),
      ...(mark.dataset === undefined ? {} : { only: new Set([mark.dataset]) }),
    })
    const report = catalog.reports.get(mark.reportId)
    if (!report) {
      await closeCatalog(catalog)
      return catalog.warnings
    }
    await end(id)
    loaded.set(id, { ...mark, catalog })
    for (const other of [...loaded.keys()].slice(0, -MAX_PREVIEWS)) await end(other)
    return report
  }

  /** Shows what `write` puts into a new folder, with the report under a new id. */
  async function show(draft: { id: string; folder: string }, write: Write): Promise<Shown> {
    const before = await readMark(draft.folder)
    const reportId = before?.reportId ?? randomUUID()
    const version = randomUUID()
    const folder = versionFolder(draft.folder, { version })
    const written = await write(folder, reportId)
    if ('faults' in written) {
      await rm(folder, { recursive: true, force: true })
      return written
    }
    const { reportFile, dataset } = written
    const mark = { version, reportId, dataset, until: now() + PREVIEW_SECONDS * 1000 }
    const shown = await load(draft.id, draft.folder, mark)
    if (Array.isArray(shown)) {
      await rm(folder, { recursive: true, force: true })
      const path = relative(folder, reportFile)
      return { faults: shown.map((sentence) => sentence.replaceAll(path, 'Relatório')) }
    }
    await writeMark(draft.folder, mark)
    if (before) await rm(versionFolder(draft.folder, before), { recursive: true, force: true })
    return { faults: [], report: shown }
  }

  async function read<T>(reportId: string, work: (report: Report | undefined) => Promise<T>): Promise<T> {
    for (const id of await idsWith(reportId)) {
      const folder = draftFolder(dataDir, id)
      if ((await readMark(folder))?.reportId !== reportId) continue
      const report = (await findLoaded(id, folder)) ?? (await inTurn(() => findOrLoad(id, folder)))
      const preview = loaded.get(id)
      if (!report || !preview) return work(report)
      loaded.delete(id)
      loaded.set(id, preview)
      return holding(preview.catalog, () => work(report))
    }
    return work(undefined)
  }

  async function findLoaded(id: string, folder: string): Promise<Report | undefined> {
    const mark = await readMark(folder)
    const known = loaded.get(id)
    const isCurrent = mark && mark.until > now() && known?.version === mark.version
    return isCurrent ? known.catalog.reports.get(mark.reportId) : undefined
  }

  /** Loads what another process has shown, or what others have displaced. */
  async function findOrLoad(id: string, folder: string): Promise<Report | undefined> {
    const found = await findLoaded(id, folder)
    const mark = await readMark(folder)
    if (found || !mark || mark.until <= now()) return found
    const report = await load(id, folder, mark)
    return Array.isArray(report) ? undefined : report
  }

  /** Returns the draft of a loaded preview, otherwise all drafts. */
  async function idsWith(reportId: string): Promise<string[]> {
    const known = [...loaded].find(([, preview]) => preview.reportId === reportId)
    return known ? [known[0]] : readdir(draftsFolder(dataDir)).catch(() => [])
  }

  const timer = setInterval(() => void inTurn(endOld).catch(() => undefined), SWEEP_MS)
  timer.unref()
  return {
    /** Shows a draft; with faults, an earlier preview of it stays. */
    show: (draft: Draft, publication: Publication) =>
      inTurn(async () => {
        await endOld()
        const refusal = whyUnusable(draft, publication)
        if (refusal.length) return { faults: refusal }
        return show(draft, (folder, reportId) => {
          const report = withId(publication.report, draft.reportId, reportId)
          return writeDraftFolder(draft, folder, { ...publication, report })
        })
      }),
    /**
     * Shows a report of a sent folder that has the report's data too: published rows are for those
     * whom the portal lets open their reports.
     * @throws PowerBiError 404 when the folder has no such report
     */
    showFolder: (draft: FolderDraft, reportId: string) =>
      inTurn(async () => {
        await endOld()
        return show(draft, (folder, shownId) => writeFolder(dataDir, draft, { folder, reportId, shownId }))
      }),
    /** Runs `work` on the report of a preview whose time is not over, open until the work ends. */
    read,
    async close() {
      clearInterval(timer)
      await inTurn(async () => {
        loaded.clear()
        await databases?.close()
      })
    },
  }
}

/** The ids are equally long, so that places in the text stay the same. */
const withId = (report: string, id: string, other: string): string =>
  report.replaceAll(new RegExp(id, 'gi'), other)

/** Writes what the author brings, and nothing that is published; the report gets another id. */
const writeFolder = async (
  dataDir: string,
  draft: FolderDraft,
  { folder, reportId, shownId }: { folder: string; reportId: string; shownId: string },
): Promise<Written> => {
  const root = await rootOf(draft.content)
  const { faults, after, authoredDatasets } = await prepare(dataDir, root, folder, { withPublished: false })
  if (faults.length) return { faults: faults.map((fault) => asAuthorKnows(draft, fault)) }
  const report = after.workspaces
    .flatMap(({ reports }) => reports)
    .find(({ definition }) => definition.id.toLowerCase() === reportId.toLowerCase())
  if (!report) throw notFound('The report')
  const dataset = report.definition.dataset.toLowerCase()
  if (!authoredDatasets.has(dataset)) return { faults: [WITHOUT_DATA] }
  const reportFile = join(folder, report.path)
  await writeFile(reportFile, withId(report.text, reportId, shownId))
  return { reportFile, dataset }
}

const WITHOUT_DATA =
  'Relatório: os dados dele não estão na pasta, e a prévia não mostra dados já publicados. Envie também a pasta do conjunto de dados, com os seus arquivos, ou publique para ver o relatório.'

const readMark = async (folder: string): Promise<Mark | undefined> => {
  const text = await readFile(join(folder, MARK_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return Mark.parse(JSON.parse(text))
  } catch {
    // Cut short by a power failure: the draft has no preview, and the next one replaces the mark.
    return undefined
  }
}

/** Other processes see the earlier mark or this one. */
const writeMark = async (folder: string, mark: Mark): Promise<void> => {
  const aside = join(folder, `${MARK_FILE}.novo`)
  await writeFile(aside, JSON.stringify(mark), { mode: 0o600 })
  await rename(aside, join(folder, MARK_FILE))
}
