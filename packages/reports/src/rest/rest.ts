import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Catalog } from '../engine/data/catalog.ts'
import type { Exports } from '../export/exports.ts'
import { notAuthorized, tokenExpired } from '../http/power-bi-error.ts'
import type { CountPublicCall } from '../http/public-calls.ts'
import type { EntraClaims, Tokens } from '../http/tokens.ts'
import { exportRoutes } from './exports.ts'
import { generateTokenRoutes } from './generate-token.ts'
import { refreshRoutes } from './refreshes.ts'
import { workspaceRoutes } from './workspaces.ts'

type Options = {
  catalog: () => Catalog
  refresh: () => Promise<Catalog>
  now: () => number
  tokens: Tokens
  reportsUrl: string
  clientIds: string[]
  exports: Exports
  countPublicCall: CountPublicCall
}

/** Routes below `/v1.0/myorg`. The Entra token is checked before path and body. */
export async function restRoutes(app: FastifyInstance, options: Options) {
  const { catalog, refresh, now, tokens, reportsUrl, clientIds, exports, countPublicCall } = options
  const callers = new WeakMap<object, EntraClaims>()

  app.addHook('onRequest', async (request) => {
    try {
      const caller = authenticate(tokens, request)
      // An application removed from the service file is refused.
      if (!clientIds.includes(caller.appid)) throw notAuthorized()
      callers.set(request, caller)
    } catch (refusal) {
      await countPublicCall(request)
      throw refusal
    }
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  const callerOf = (request: object) => {
    const caller = callers.get(request)
    if (!caller) throw notAuthorized(401)
    return caller
  }

  app.register(workspaceRoutes, { catalog, reportsUrl })
  app.register(refreshRoutes, { catalog, refresh, reportsUrl, now })
  app.register(generateTokenRoutes, { catalog, tokens, reportsUrl, callerOf })
  app.register(exportRoutes, { catalog, reportsUrl, callerOf, exports })
}

function authenticate(tokens: Tokens, request: FastifyRequest): EntraClaims {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!token) throw notAuthorized(401)
  const verified = tokens.verifyEntra(token)
  if (verified.state === 'expired') throw tokenExpired()
  if (verified.state === 'refused') throw notAuthorized()
  return verified.claims
}
