import { rm } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { CsvType } from '../../definitions/definition.ts'
import type { Catalog, Report, Table } from '../../engine/data/catalog.ts'
import { ScaleAnswer } from '../../engine/data/columns/column-scales.ts'
import { parseBody } from '../../http/parse-body.ts'
import { notFound } from '../../http/power-bi-error.ts'
import { type DraftCall, ownerOf } from '../drafts/draft-call.ts'
import { findDraft } from '../drafts/files/draft-files.ts'
import { CHOICES } from '../drafts/reading/file-choices.ts'
import { readTypicalSizes } from '../drafts/reading/typical-sizes.ts'
import type { InTurn } from '../publish/fair-turns.ts'
import { AUTHOR, readableSentences, unlessBusy } from '../publish/publication-calls.ts'
import { createNewestVersions, summaryOf } from '../versions/newest-versions.ts'
import type { Publisher } from '../versions/record-versions.ts'
import { createDigests } from '../versions/report-state.ts'
import { keptBytes, readVersion, readVersions } from '../versions/version-files.ts'
import { findPublished } from './find-published.ts'
import { replaceData } from './replace-data.ts'
import { dataOfVersion, restoreVersion } from './restore-version.ts'

type PublishedOptions = {
  dataDir: string
  /** For a process that checks what is published. */
  memoryMegabytes: number
  inTurn: InTurn
  /** The turn of a work that changes what is published. */
  inTurnToPublish: InTurn
  catalog: () => Catalog
  readCatalog: <T>(work: (catalog: Catalog) => Promise<T>) => Promise<T>
  /** Loads what was published. */
  refresh: () => Promise<Catalog>
  now: () => number
}

const Id = z.guid()
const Restoration = z.object({ withData: z.boolean(), author: AUTHOR })
const Replacement = z.object({
  draft: z.guid(),
  table: z.string().min(1).max(63),
  author: AUTHOR,
  /** False when others than the author read the faults: they contain no values of the file. */
  quotesData: z.boolean().default(true),
  /** By default, as the rows that are replaced were read. */
  ...CHOICES,
  /** What a person chose for columns, by their names. */
  types: z.record(z.string().max(200), CsvType).default({}),
  scales: z.record(z.string().max(200), ScaleAnswer).default({}),
})

/**
 * Published reports and their versions, below `/v1.0/myorg/publications`. These calls are the
 * portal's own: Power BI has none like them.
 */
export const publishedRoutes = async (app: FastifyInstance, options: PublishedOptions) => {
  const { dataDir, memoryMegabytes, inTurn, inTurnToPublish, catalog, readCatalog, refresh, now } = options
  const settings = { dataDir, memoryMegabytes, now }
  // For all calls: large data is read once, not for each list of versions.
  const digestOf = createDigests()

  const newestVersions = createNewestVersions(dataDir)
  app.addHook('preSerialization', readableSentences)

  /** The id is a GUID, so it cannot lead to another folder. */
  const reportOf = ({ id }: { id: string }): Report => {
    const report = Id.safeParse(id).success ? catalog().reports.get(id.toLowerCase()) : undefined
    if (!report) throw notFound('The report')
    return report
  }
  const publishedOf = async (id: string) => {
    const published = await findPublished(dataDir, id, digestOf)
    if (!published) throw notFound('The report')
    return published
  }

  app.get('/publications', async () => {
    const { workspaces } = catalog()
    const reports = [...workspaces.values()].flatMap(({ id, name, reports }) =>
      reports.map((report) => ({ report, workspace: { id, name } })),
    )
    const newest = await newestVersions()
    const value = reports.map(({ report, workspace }) => {
      const { count = 0, last = null } = newest.get(report.id.toLowerCase()) ?? {}
      return { id: report.id, name: report.definition.name, workspace, versions: count, last }
    })
    return { value }
  })

  app.get<{ Params: { id: string } }>('/publications/:id/versions', async ({ params }) => {
    const { id } = reportOf(params)
    const { state } = await publishedOf(id)
    const kept = new Set((await keptBytes(dataDir, id)).keys())
    const versions = await readVersions(dataDir, id)
    return {
      value: versions.map((version) => ({
        ...summaryOf(version),
        data: dataOfVersion(version, state, kept),
      })),
    }
  })

  app.get<{ Params: { id: string } }>('/publications/:id/tables', async ({ params }) => {
    const tables = [...reportOf(params).dataset.tables.values()]
    const columnsOf = ({ columns }: Table) =>
      [...columns.values()].map(({ name, kind, heading: label = name }) => ({ name, label, kind }))
    return {
      value: tables.map((table) => ({ name: table.name, hidden: table.hidden, columns: columnsOf(table) })),
    }
  })

  const publishedSizes = (id: string, name: string) =>
    readCatalog(async ({ reports }) => {
      const dataset = reports.get(id.toLowerCase())?.dataset
      const table = dataset?.tables.get(name.toLowerCase())
      if (!dataset || !table) return new Map<string, number>()
      const numbers = [...table.columns.values()].filter(
        ({ kind }) => kind === 'integer' || kind === 'number',
      )
      return readTypicalSizes(
        dataset.database,
        table.source,
        numbers.map((column) => column.name),
      )
    })

  const replace = async (act: 'check' | 'publish', request: DraftCall) => {
    const { id, dataset } = reportOf(request.params)
    const body = parseBody(Replacement, request.body)
    const { draft: draftId, table: name, author, quotesData, types, scales, ...file } = body
    const table = dataset.tables.get(name.toLowerCase())
    if (!table) throw notFound('The table')
    const draft = await findDraft(dataDir, draftId, ownerOf(request))
    const publisher: Publisher = { author, origin: 'portal' }
    const turn = act === 'publish' ? inTurnToPublish : inTurn
    const outcome = await unlessBusy(() =>
      turn(ownerOf(request), async () =>
        replaceData(
          { ...settings, quotesData },
          await publishedOf(id),
          {
            draft,
            table,
            publisher,
            choices: { types, scales, file },
            sizes: await publishedSizes(id, name),
            digestOf,
          },
          act,
        ),
      ),
    )
    if (act === 'publish' && outcome.faults.length === 0) {
      await refresh()
      await rm(draft.folder, { recursive: true, force: true })
    }
    return outcome
  }
  app.post('/publications/:id/data/check', (request: DraftCall) => replace('check', request))
  app.post('/publications/:id/data', (request: DraftCall) => replace('publish', request))

  app.post<{ Params: { id: string; number: string } }>(
    '/publications/:id/versions/:number/restore',
    async ({ params, body, headers }) => {
      const { id } = reportOf(params)
      const { withData, author } = parseBody(Restoration, body)
      const outcome = await unlessBusy(() =>
        inTurnToPublish(ownerOf({ headers }), async () => {
          const number = /^[1-9]\d{0,8}$/.test(params.number) ? Number(params.number) : 0
          const version = await readVersion(dataDir, id, number)
          if (!version) throw notFound('The version')
          return restoreVersion(settings, await publishedOf(id), version, { withData, author })
        }),
      )
      // The portal's next call must see the restored version.
      if (outcome.faults.length === 0) await refresh()
      return outcome
    },
  )
}
