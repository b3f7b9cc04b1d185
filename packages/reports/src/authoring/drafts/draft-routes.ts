import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDataFile } from '@bi-manager/contract/data-files'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { CsvType } from '../../definitions/definition.ts'
import { isTimeZone } from '../../definitions/time-zone.ts'
import type { Catalog, Report } from '../../engine/data/catalog.ts'
import { parseBody } from '../../http/parse-body.ts'
import { invalidRequest, notFound, PowerBiError } from '../../http/power-bi-error.ts'
import type { EntraClaims, Tokens } from '../../http/tokens.ts'
import type { InTurn } from '../publish/fair-turns.ts'
import { AUTHOR, readableSentences, unlessBusy } from '../publish/publication-calls.ts'
import { type DraftCall, ownerOf } from './draft-call.ts'
import { PREVIEW_SECONDS, type Previews } from './draft-previews.ts'
import { createDraft, deleteOldDrafts, discardDraft, findDraft } from './files/draft-files.ts'
import { type Publication, tableOf } from './files/draft-folder.ts'
import { folderRoutes } from './folder-routes.ts'
import { proposeReport } from './proposal/propose-report.ts'
import { checkOrPublishDraft } from './publish-draft.ts'
import { CHOICES } from './reading/file-choices.ts'
import { readDraft } from './reading/read-draft.ts'

type DraftOptions = {
  dataDir: string
  /** For a process that reads or checks a draft. */
  memoryMegabytes: number
  inTurn: InTurn
  /** The turn of a work that changes what is published. */
  inTurnToPublish: InTurn
  catalog: () => Catalog
  /** Loads what was published. */
  refresh: () => Promise<Catalog>
  now: () => number
  previews: Previews
  tokens: Tokens
  reportsUrl: string
  entraClaimsOf: (request: object) => EntraClaims
}

const Types = z.record(z.string().max(200), CsvType)
const Reading = z.object({
  types: Types.default({}),
  reportName: z.string().min(1).max(200),
  ...CHOICES,
})
const PublicationBody = z.object({
  workspace: z.object({ id: z.guid().optional(), name: z.string().trim().min(1).max(200) }),
  report: z.string().min(2).max(1_000_000),
  others: z.array(z.guid()).max(9).default([]),
  timeZone: z.string().max(60).refine(isTimeZone).optional(),
  author: AUTHOR,
})
const Id = z.guid()
const FileName = z.string().trim().min(1).max(200)

/** Milliseconds between deletions of old drafts. */
const SWEEP_MS = 3_600_000

/**
 * Publishing from the portal, below `/v1.0/myorg/drafts`. These calls are the portal's own: Power
 * BI has none like them. Faults of files and definitions are part of a 200 answer.
 */
export const draftRoutes = async (app: FastifyInstance, options: DraftOptions) => {
  const { dataDir, memoryMegabytes, inTurn, inTurnToPublish, catalog, refresh, now } = options
  const { previews, tokens, reportsUrl } = options
  const draftOf = async (request: DraftCall) => {
    const { id } = request.params
    if (!Id.safeParse(id).success) throw notFound('The draft')
    return findDraft(dataDir, id, ownerOf(request))
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
  app.addHook('preSerialization', readableSentences)

  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  app.post<{ Querystring: { name?: string } }>('/drafts', async (request, reply) => {
    const { query, body } = request
    const name = FileName.safeParse(query.name)
    if (!name.success) throw invalidRequest('name is missing or too long')
    if (!isDataFile(name.data))
      throw new PowerBiError(415, 'UnsupportedFile', 'The file is neither CSV, XLSX nor Parquet')
    if (!(body instanceof Readable)) throw invalidRequest('the body is not application/octet-stream')
    const owner = ownerOf(request)
    const sent = { owner, name: name.data, bytes: body, now: now(), inTurn }
    const { draft, discarded } = await createDraft(dataDir, sent)
    return reply.code(201).send({ id: draft.id, discarded })
  })

  app.post<{ Params: { id: string } }>('/drafts/:id/read', async (request) => {
    const draft = await draftOf(request)
    const { types, reportName, ...choices } = parseBody(Reading, request.body)
    const reading = await inTurn(ownerOf(request), () =>
      readDraft(draft, { types, choices }, memoryMegabytes),
    )
    if (!('columns' in reading)) return reading
    const { datasetId: dataset, reportId: id } = draft
    const ids = { id, dataset, name: reportName, rows: reading.rows }
    const { report, explanation } = proposeReport(tableOf(draft), reading.columns, ids)
    const tables = [{ name: tableOf(draft), columns: reading.columns.map(({ name }) => name) }]
    return { ...reading, tables, report, explanation }
  })

  app.post('/drafts/:id/discard', async (request: DraftCall) => {
    const { id } = request.params
    if (!Id.safeParse(id).success) throw notFound('The draft')
    const owner = ownerOf(request)
    await inTurn(owner, () => discardDraft(dataDir, id, owner))
    return { id }
  })

  /** Returns the answer with which the portal opens a preview. */
  const opened = (request: FastifyRequest, { faults, report }: { faults: string[]; report?: Report }) => {
    if (!report) return { faults }
    const { id, workspaceId } = report
    // Of the person, not of the token: each preview has a new one.
    const reader = createHash('sha256')
      .update(`drafts:${ownerOf(request)}`)
      .digest('base64url')
    const grant = {
      reports: [id],
      identities: [],
      reader,
      preview: true as const,
      lifeSeconds: PREVIEW_SECONDS,
    }
    const { token, expiration } = tokens.signEmbed(options.entraClaimsOf(request), grant)
    const query = new URLSearchParams({ reportId: id, groupId: workspaceId })
    return { faults, reportId: id, token, expiration, embedUrl: `${reportsUrl}/reportEmbed?${query}` }
  }
  await folderRoutes(app, {
    dataDir,
    memoryMegabytes,
    catalog,
    refresh,
    now,
    inTurn,
    inTurnToPublish,
    previews,
    opened,
  })

  const publicationOf = async (request: DraftCall): Promise<Publication> => {
    const { workspace, report, others: ids, timeZone, author } = parseBody(PublicationBody, request.body)
    // A known workspace keeps its name.
    const known = workspace.id && catalog().workspaces.get(workspace.id.toLowerCase())
    if (workspace.id && !known) throw notFound('The workspace')
    const others = await Promise.all(ids.map((id) => findDraft(dataDir, id, ownerOf(request))))
    const place = known ? { id: known.id, name: known.name } : { name: workspace.name }
    return { workspace: place, report, others, timeZone, author }
  }
  const act = async (how: 'check' | 'publish', request: DraftCall) => {
    const draft = await draftOf(request)
    const publication = await publicationOf(request)
    const turn = how === 'publish' ? inTurnToPublish : inTurn
    return unlessBusy(() =>
      turn(ownerOf(request), () =>
        checkOrPublishDraft({ dataDir, memoryMegabytes, now }, draft, publication, how),
      ),
    )
  }
  app.post('/drafts/:id/check', (request: DraftCall) => act('check', request))
  app.post('/drafts/:id/publish', async (request: DraftCall) => {
    const published = await act('publish', request)
    // The portal registers the report next, and must find it.
    if (published.faults.length === 0) await refresh()
    return published
  })
  app.post('/drafts/:id/preview', async (request: DraftCall) => {
    const draft = await draftOf(request)
    const publication = await publicationOf(request)
    return opened(request, await inTurn(ownerOf(request), () => previews.show(draft, publication)))
  })
}
