import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerError, PowerBiError } from '../../http/power-bi-error.ts'
import { identifyClient } from './entra-client.ts'
import { entraDiscoveryRoutes } from './entra-discovery.ts'
import { EntraError } from './entra-error.ts'
import { GRANTS, type Version } from './grants.ts'
import { loginOrigin } from './login-hosts.ts'
import type { OauthOptions } from './oauth-options.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { archiveClientIdOf } from './service-file.ts'
import { checkTenant, isCommon, unknownTenant } from './tenant.ts'
import { tokenAnswer } from './token-answer.ts'
import { field, formOf } from './token-form.ts'

type OfTenant = { Params: { tenant: string } }

/**
 * Entra's token endpoints, v1 and v2, and what clients ask before: client credentials (service
 * principal), password (master user) and refresh token. Every call is counted by address.
 */
export const oauthRoutes = async (app: FastifyInstance, options: OauthOptions) => {
  const { credentials, countPublicCall, now, reportsUrl } = options
  const refreshTokens = createRefreshTokens(credentials, options.dataDir, now)
  app.addHook('onRequest', countPublicCall)
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
  })
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof PowerBiError) return answerError(error, request, reply)
    const known = error instanceof EntraError ? error : EntraError.from(error)
    if (known.status === 500) request.log.error({ err: error }, 'unexpected error')
    if (known.status === 401 && request.headers.authorization) reply.header('www-authenticate', 'Basic')
    return reply.code(known.status).send(known.body(now(), randomUUID()))
  })

  app.register(entraDiscoveryRoutes, { credentials, reportsUrl })

  const answer = (version: Version) => async (request: FastifyRequest<OfTenant>) => {
    const form = formOf(request.body)
    const { tenant } = request.params
    checkTenant(credentials, tenant, 'invalid_request')
    const type = field(form, 'grant_type')
    const grant = GRANTS.get(type)
    if (!grant)
      throw new EntraError('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.')
    if (isCommon(tenant)) checkCommon(version, type)
    const client = identifyClient(form, request.headers.authorization, credentials)
    const { users } = credentials
    const granted = await grant({
      version,
      form,
      client,
      users,
      refreshTokens,
      archiveClientId: archiveClientIdOf(credentials),
    })
    return tokenAnswer(options, refreshTokens, {
      ...granted,
      version,
      client,
      wantsClientInfo: form.client_info === '1',
      origin: loginOrigin(request, reportsUrl),
      log: request.log,
    })
  }
  app.post<OfTenant>('/:tenant/oauth2/token', answer('v1'))
  app.post<OfTenant>('/:tenant/oauth2/v2.0/token', answer('v2'))
}

/** An application is found in its own tenant only; v2 signs users in there only, too. */
const checkCommon = (version: Version, grant: string) => {
  if (grant === 'client_credentials') throw unknownTenant('common', 'invalid_request')
  if (version === 'v2' && grant === 'password')
    throw new EntraError(
      'invalid_request',
      9001023,
      "The grant type isn't supported over the /common or /consumers endpoints. Please use the /organizations or tenant-specific endpoint.",
    )
}
