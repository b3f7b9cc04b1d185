import { rm } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { notAuthorized } from '../http/power-bi-error.ts'
import type { CountPublicCall } from '../http/public-calls.ts'
import { guardByToken } from '../http/token-guard.ts'
import type { Tokens } from '../http/tokens.ts'
import { packSnapshot } from './pack-snapshot.ts'
import { takeSnapshot } from './take-snapshot.ts'

type ArchiveOptions = {
  dataDir: string
  tokens: Tokens
  /** The one application that may read the archive: the portal's. */
  archiveClientId: string
  countPublicCall: CountPublicCall
  now: () => number
}

/**
 * The call with which the portal's backup reads everything this service needs to come back: all
 * data of everyone, and all credentials. So it takes a token of its own, which `archiveGrant` gives
 * to the first application of the service file only.
 */
export const archiveRoutes = async (app: FastifyInstance, options: ArchiveOptions) => {
  const { dataDir, tokens, archiveClientId, countPublicCall, now } = options
  const stop = new AbortController()
  app.addHook('onClose', async () => stop.abort())
  guardByToken(app, 'Bearer', countPublicCall, (token) => {
    if (!token) throw notAuthorized(401)
    const caller = tokens.verifyArchive(token)
    if (caller.appid !== archiveClientId) throw notAuthorized()
    return caller
  })

  // An answer without its body would take a snapshot too.
  app.get('/archive', { exposeHeadRoute: false }, async (request, reply) => {
    const snapshot = await takeSnapshot(dataDir, { signal: stop.signal, now: now() })
    const { folder, files, bytes } = snapshot
    const body = packSnapshot(snapshot)
    body.once('close', () => void rm(folder, { recursive: true, force: true }))
    request.log.warn({ files: files.length, bytes }, 'all reports, data and credentials are read')
    return reply.type('application/x-tar').header('x-archive-bytes', bytes).send(body)
  })
}
