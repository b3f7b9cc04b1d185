import { randomUUID } from 'node:crypto'
import { join, relative } from 'node:path'
import type { Catalog, Report } from '../engine/data/catalog.ts'
import { LEAST_MEGABYTES } from '../engine/data/database.ts'
import { createDatabaseProcess, type DatabaseProcess } from '../engine/data/database-process.ts'
import { closeCatalog, loadCatalog } from '../engine/loading/load-catalog.ts'
import type { Draft } from './draft-files.ts'
import { type Publication, writeDraftFolder } from './draft-folder.ts'
import { definitionIn, whyUnusable } from './publish-draft.ts'

/*
 * A preview is the report of a draft, which only its own id opens: no list, export or other token
 * knows it. All previews share a database process of their own, so that no query of an unpublished
 * report can end the process that answers readers.
 */

type Preview = { reportId: string; catalog: Catalog; until: number }
type Options = { memoryMegabytes: number; queryTimeoutMs: number; now: () => number }

/** Seconds that a token opens a preview, and that its data stays in memory after the last order. */
export const PREVIEW_SECONDS = 600
/** Previews at a time; another one ends the oldest. */
export const MOST_PREVIEWS = 4
/** Milliseconds between looks for previews whose time is over. */
const SWEEP_MS = 30_000
/** Milliseconds for one statement that reads the file. */
const LOAD_MS = 60_000

export type Previews = ReturnType<typeof createPreviews>

export function createPreviews({ memoryMegabytes, queryTimeoutMs, now }: Options) {
  /** By the id of the draft, the oldest order first. */
  const previews = new Map<string, Preview>()
  let databases: DatabaseProcess | undefined
  /** Orders run one at a time: each may end previews of others. */
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }

  async function end(id: string) {
    const preview = previews.get(id)
    previews.delete(id)
    if (preview) await closeCatalog(preview.catalog)
  }

  async function endOld() {
    for (const [id, { until }] of previews) if (until <= now()) await end(id)
    if (previews.size > 0) return
    const idle = databases
    databases = undefined
    await idle?.close()
  }

  const open = () => {
    databases ??= createDatabaseProcess({ memoryMegabytes })
    const held = [...previews.values()]
      .flatMap(({ catalog }) => [...catalog.datasets.values()])
      .reduce((sum, { database }) => sum + database.dataMegabytes(), 0)
    const left = Math.max(LEAST_MEGABYTES, Math.floor(memoryMegabytes - held))
    return databases.open({ memoryMegabytes: left, timeoutMs: queryTimeoutMs, loadMs: LOAD_MS })
  }

  async function show(
    draft: Draft,
    publication: Publication,
  ): Promise<{ faults: string[]; report?: Report }> {
    const refusal = whyUnusable(draft, definitionIn(publication.report))
    if (refusal.length) return { faults: refusal }
    const before = previews.get(draft.id)
    const reportId = before?.reportId ?? randomUUID()
    const folder = join(draft.folder, 'previa')
    // The ids are equally long, so that places in the text stay the same.
    const report = publication.report.replaceAll(new RegExp(draft.reportId, 'gi'), reportId)
    const { reportFile } = await writeDraftFolder(draft, folder, { ...publication, report })
    const catalog = await loadCatalog({ dataDir: folder, open, quotesData: true })
    const shown = catalog.reports.get(reportId)
    if (!shown) {
      await closeCatalog(catalog)
      const path = relative(folder, reportFile)
      return { faults: catalog.warnings.map((sentence) => sentence.replaceAll(path, 'Relatório')) }
    }
    previews.delete(draft.id)
    previews.set(draft.id, { reportId, catalog, until: now() + PREVIEW_SECONDS * 1000 })
    if (before) await closeCatalog(before.catalog)
    for (const id of [...previews.keys()].slice(0, -MOST_PREVIEWS)) await end(id)
    return { faults: [], report: shown }
  }

  const timer = setInterval(() => void inTurn(endOld).catch(() => undefined), SWEEP_MS)
  timer.unref()
  return {
    /** Shows a draft; with faults, an earlier preview of it stays. */
    show: (draft: Draft, publication: Publication) =>
      inTurn(async () => {
        await endOld()
        return show(draft, publication)
      }),
    /** Returns the report of a preview whose time is not over. */
    find(reportId: string): Report | undefined {
      const preview = [...previews.values()].find((one) => one.reportId === reportId)
      return preview && preview.until > now() ? preview.catalog.reports.get(reportId) : undefined
    },
    async close() {
      clearInterval(timer)
      await inTurn(async () => {
        previews.clear()
        await databases?.close()
      })
    },
  }
}
