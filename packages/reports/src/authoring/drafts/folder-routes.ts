import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Catalog, Report } from '../../engine/data/catalog.ts'
import { parseBody } from '../../http/parse-body.ts'
import { invalidRequest, notFound } from '../../http/power-bi-error.ts'
import type { InTurn } from '../publish/fair-turns.ts'
import { AUTHOR, unlessBusy } from '../publish/publication-calls.ts'
import { type DraftCall, ownerOf } from './draft-call.ts'
import type { Previews } from './draft-previews.ts'
import {
  addFile,
  createFolderDraft,
  findFolderDraft,
  neededRoles,
  validateFolder,
} from './files/folder-draft.ts'

type FolderOptions = {
  dataDir: string
  memoryMegabytes: number
  catalog: () => Catalog
  refresh: () => Promise<Catalog>
  now: () => number
  inTurn: InTurn
  /** The turn of a work that changes what is published. */
  inTurnToPublish: InTurn
  previews: Previews
  /** Returns the answer with which the portal opens a preview. */
  opened: (request: FastifyRequest, shown: { faults: string[]; report?: Report }) => object
}

const AuthorBody = z.object({ author: AUTHOR })
const PreviewBody = z.object({ report: z.guid() })
const NewFolder = z.object({ name: z.string().trim().min(1).max(200) })
const Id = z.guid()
const FilePath = z.string().min(1).max(400)

/**
 * Routes to send a folder with definitions, and to check, preview and publish it, below
 * `/v1.0/myorg/drafts/folders`.
 */
export const folderRoutes = async (app: FastifyInstance, options: FolderOptions) => {
  const { dataDir, memoryMegabytes, catalog, refresh, now, inTurn, inTurnToPublish, previews, opened } =
    options
  const draftOf = async (request: DraftCall) => {
    const { id } = request.params
    if (!Id.safeParse(id).success) throw notFound('The draft')
    return findFolderDraft(dataDir, id, ownerOf(request))
  }

  app.post('/drafts/folders', async (request, reply) => {
    const { name } = parseBody(NewFolder, request.body)
    const sent = { owner: ownerOf(request), name, now: now(), inTurn }
    const { draft, discarded } = await createFolderDraft(dataDir, sent)
    return reply.code(201).send({ id: draft.id, discarded })
  })
  app.post<{ Params: { id: string }; Querystring: { path?: string } }>(
    '/drafts/folders/:id/files',
    async (request, reply) => {
      const draft = await draftOf(request)
      const path = FilePath.safeParse(request.query.path)
      if (!path.success) throw invalidRequest('path is missing or too long')
      if (!(request.body instanceof Readable))
        throw invalidRequest('the body is not application/octet-stream')
      await addFile(draft, path.data, request.body)
      return reply.code(201).send({ id: draft.id })
    },
  )
  const act = async (how: 'check' | 'publish', request: DraftCall) => {
    const draft = await draftOf(request)
    const { author } = parseBody(AuthorBody, request.body)
    const published = new Set(catalog().reports.keys())
    const turn = how === 'publish' ? inTurnToPublish : inTurn
    const { reports, ...evaluation } = await unlessBusy(() =>
      turn(ownerOf(request), () => validateFolder({ dataDir, memoryMegabytes, now }, draft, author, how)),
    )
    const { datasets } = catalog()
    return {
      ...evaluation,
      reports: reports.map(({ dataset, roles, ...report }) => {
        const known = datasets.get(dataset.toLowerCase())?.definition
        const replaces = published.has(report.id.toLowerCase())
        return { ...report, replaces, roles: roles ?? (known ? neededRoles(known) : []) }
      }),
    }
  }
  app.post('/drafts/folders/:id/check', (request: DraftCall) => act('check', request))
  app.post('/drafts/folders/:id/preview', async (request: DraftCall) => {
    const draft = await draftOf(request)
    const { report } = parseBody(PreviewBody, request.body)
    return opened(request, await inTurn(ownerOf(request), () => previews.showFolder(draft, report)))
  })
  app.post('/drafts/folders/:id/publish', async (request: DraftCall) => {
    const published = await act('publish', request)
    if (published.faults.length === 0) await refresh()
    return published
  })
}
