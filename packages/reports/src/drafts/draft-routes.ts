import { extname } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Catalog } from '../engine/data/catalog.ts'
import { CsvType } from '../engine/definitions/definition.ts'
import { parseBody } from '../http/parse-body.ts'
import { invalidRequest, notFound, PowerBiError } from '../http/power-bi-error.ts'
import { PublicationBusyError } from '../publish/publication.ts'
import { createDraft, deleteOldDrafts, findDraft } from './draft-files.ts'
import { proposeReport } from './propose-report.ts'
import { judgeDraft, tableOf } from './publish-draft.ts'
import { readDraft } from './read-draft.ts'

type DraftOptions = {
  dataDir: string
  memoryMegabytes: number
  catalog: () => Catalog
  /** Loads what was published. */
  refresh: () => Promise<Catalog>
  now: () => number
}

const Types = z.record(z.string().max(200), CsvType)
const Reading = z.object({ types: Types.default({}), reportName: z.string().min(1).max(200) })
const PublicationBody = z.object({
  workspace: z.object({ id: z.guid().optional(), name: z.string().trim().min(1).max(200) }),
  report: z.string().min(2).max(1_000_000),
})
const Id = z.guid()
const FileName = z.string().trim().min(1).max(200)
const kinds: Record<string, 'csv' | 'parquet'> = { '.csv': 'csv', '.txt': 'csv', '.parquet': 'parquet' }

/** Milliseconds between deletions of old drafts. */
const SWEEP_MS = 3_600_000

/** Megabytes for a process that reads or checks a draft, besides the service's own. */
const MOST_MEGABYTES = 512

/**
 * Publishing from the portal, below `/v1.0/myorg/drafts`. These calls are the portal's own: Power
 * BI has none like them. Faults of files and definitions are part of a 200 answer.
 */
export async function draftRoutes(app: FastifyInstance, options: DraftOptions) {
  const { dataDir, catalog, refresh, now } = options
  const memoryMegabytes = Math.min(options.memoryMegabytes, MOST_MEGABYTES)
  const inTurn = oneAtATime()
  const draftOf = async ({ id }: { id: string }) => {
    if (!Id.safeParse(id).success) throw notFound('The draft')
    return findDraft(dataDir, id)
  }

  // Also without further drafts: the files may contain personal data.
  const sweep = () =>
    deleteOldDrafts(dataDir, now()).catch((err: unknown) =>
      app.log.error({ err }, 'old drafts could not be deleted'),
    )
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  app.addHook('onReady', async () => void (await sweep()))
  app.addHook('onClose', async () => clearInterval(timer))

  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  app.post<{ Querystring: { name?: string } }>('/drafts', async ({ query, body }, reply) => {
    const name = FileName.safeParse(query.name)
    if (!name.success) throw invalidRequest('name is missing or too long')
    const kind = kinds[extname(name.data).toLowerCase()]
    if (!kind) throw new PowerBiError(415, 'UnsupportedFile', 'The file is neither CSV nor Parquet')
    if (!(body instanceof Readable)) throw invalidRequest('the body is not application/octet-stream')
    const { id } = await createDraft(dataDir, { name: name.data, kind, bytes: body, now: now() })
    return reply.code(201).send({ id })
  })

  app.post<{ Params: { id: string } }>('/drafts/:id/read', async ({ params, body }) => {
    const draft = await draftOf(params)
    const { types, reportName } = parseBody(Reading, body)
    const reading = await inTurn(() => readDraft(draft, types, memoryMegabytes))
    if (!('columns' in reading)) return reading
    const { datasetId: dataset, reportId: id } = draft
    const report = proposeReport(tableOf(draft), reading.columns, { id, dataset, name: reportName })
    return { ...reading, table: tableOf(draft), report }
  })

  const act = async (how: 'check' | 'publish', params: { id: string }, body: unknown) => {
    const draft = await draftOf(params)
    const { workspace, report } = parseBody(PublicationBody, body)
    // A known workspace keeps its name.
    const known = workspace.id && catalog().workspaces.get(workspace.id.toLowerCase())
    if (workspace.id && !known) throw notFound('The workspace')
    const place = known ? { id: known.id, name: known.name } : { name: workspace.name }
    try {
      return await inTurn(() =>
        judgeDraft({ dataDir, memoryMegabytes }, draft, { workspace: place, report }, how),
      )
    } catch (error) {
      if (!(error instanceof PublicationBusyError)) throw error
      throw new PowerBiError(409, 'PublicationBusy', 'Another publication is under way')
    }
  }
  app.post<{ Params: { id: string } }>('/drafts/:id/check', ({ params, body }) => act('check', params, body))
  app.post<{ Params: { id: string } }>('/drafts/:id/publish', async ({ params, body }) => {
    const published = await act('publish', params, body)
    // The portal registers the report next, and must find it.
    if (published.faults.length === 0) await refresh()
    return published
  })
}

/** Each call reads a whole file into memory. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
