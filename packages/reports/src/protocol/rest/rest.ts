import type { FastifyInstance } from 'fastify'
import { draftRoutes } from '../../authoring/drafts/draft-routes.ts'
import { createFairTurns, type InTurn } from '../../authoring/publish/fair-turns.ts'
import { oneAtATime } from '../../authoring/publish/one-at-a-time.ts'
import { publishedRoutes } from '../../authoring/published/published-routes.ts'
import { notAuthorized } from '../../http/power-bi-error.ts'
import { guardByToken } from '../../http/token-guard.ts'
import { beneficiaryRoutes } from './beneficiaries.ts'
import { capacityRoutes } from './capacities.ts'
import { exportRoutes } from './exports.ts'
import { generateTokenRoutes } from './generate-token.ts'
import { refreshRoutes } from './refreshes.ts'
import type { RestOptions } from './rest-options.ts'
import { workspaceRoutes } from './workspaces.ts'

/** People whose files are read or checked at once: each file may take `draftMegabytes`. */
const PEOPLE_AT_ONCE = 2

/** Routes below `/v1.0/myorg`. The Entra token is checked before path and body. */
export const restRoutes = async (app: FastifyInstance, options: Omit<RestOptions, 'entraClaimsOf'>) => {
  const { catalog, refresh, refreshHistory, now, tokens, reportsUrl, tenantId, clientIds, exports } = options
  const { countPublicCall, dataDir, draftMegabytes, previews, scheduler, readCatalog } = options
  // Microsoft's name of the id with which its support, and this service's log, find a call.
  app.addHook('onRequest', async ({ id }, reply) => void reply.header('requestid', id))
  acceptEmptyJson(app)
  const entraClaimsOf = guardByToken(app, 'Bearer', countPublicCall, (token) => {
    if (!token) throw notAuthorized(401)
    const caller = tokens.verifyEntra(token)
    // An application removed from the service file is refused.
    if (!clientIds.includes(caller.appid)) throw notAuthorized()
    return caller
  })

  app.register(workspaceRoutes, { catalog, reportsUrl, tenantId })
  app.register(capacityRoutes, { reportsUrl, tenantId })
  app.register(refreshRoutes, { catalog, refresh, refreshHistory, reportsUrl, now })
  app.register(generateTokenRoutes, { catalog, tokens, reportsUrl, entraClaimsOf })
  const inTurn = createFairTurns(PEOPLE_AT_ONCE)
  const publications = oneAtATime()
  // Outside of the turns: who waits for another publication must not keep others from reading files.
  const inTurnToPublish: InTurn = (person, work) => publications(() => inTurn(person, work))
  const turns = { inTurn, inTurnToPublish }
  const publishing = { dataDir, memoryMegabytes: draftMegabytes, ...turns, catalog, refresh, now }
  app.register(draftRoutes, { ...publishing, previews, tokens, reportsUrl, entraClaimsOf })
  app.register(publishedRoutes, { ...publishing, readCatalog })
  app.register(beneficiaryRoutes, { readCatalog, scheduler, now })
  app.register(exportRoutes, { catalog, reportsUrl, entraClaimsOf, exports })
}

/** Clients send the type with an empty body, which Fastify's own parser refuses. */
const acceptEmptyJson = (app: FastifyInstance) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    String(body).trim() === '' ? done(null, undefined) : parse(request, String(body), done),
  )
}
