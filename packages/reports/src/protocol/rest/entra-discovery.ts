import { pathWithoutQuery } from '@bi-manager/telemetry/request-log'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EntraError } from './entra-error.ts'
import type { Version } from './grants.ts'
import { loginClouds, loginOrigin } from './login-hosts.ts'
import type { ServiceFile } from './service-file.ts'
import { ANY_TENANT, COMMON, checkTenant, isCommon } from './tenant.ts'

type Options = { credentials: ServiceFile; reportsUrl: string }
type OfTenant = { Params: { tenant: string } }
type OfUser = { Params: { user: string } }
type OfInstance = { Querystring: Record<string, string | string[] | undefined> }

const CLOUD = 'microsoftonline.com'
const CONFIGURATION = '.well-known/openid-configuration'
const USER_REALM = `/${COMMON}/userrealm/:user`

/** The calls that MSAL makes before it requests a token. The answers are the same for every caller. */
export const entraDiscoveryRoutes = async (app: FastifyInstance, { credentials, reportsUrl }: Options) => {
  const { tenantId } = credentials

  const configuration = (version: Version) => async (request: FastifyRequest<OfTenant>) => {
    const { tenant } = request.params
    checkTenant(credentials, tenant, 'invalid_tenant')
    const isAny = isCommon(tenant) || tenant.toLowerCase() === ANY_TENANT
    const origin = loginOrigin(request, reportsUrl)
    // The names for several tenants stay in the addresses, as at Microsoft.
    const base = `${origin}/${isAny ? tenant.toLowerCase() : tenantId}`
    const part = version === 'v2' ? '/v2.0' : ''
    return {
      issuer: `${origin}/${isAny ? '{tenantid}' : tenantId}${part || '/'}`,
      authorization_endpoint: `${base}/oauth2${part}/authorize`,
      token_endpoint: `${base}/oauth2${part}/token`,
      jwks_uri: `${base}/discovery${part}/keys`,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      grant_types_supported: ['client_credentials', 'password', 'refresh_token'],
      response_types_supported: ['code', 'id_token', 'code id_token'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['HS256'],
      claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'name', 'preferred_username', 'tid', 'ver'],
      tenant_region_scope: null,
      cloud_instance_name: CLOUD,
    }
  }
  app.get<OfTenant>(`/:tenant/${CONFIGURATION}`, configuration('v1'))
  app.get<OfTenant>(`/:tenant/v2.0/${CONFIGURATION}`, configuration('v2'))

  // Id tokens are signed with a secret key: clients get them over TLS and do not check signatures.
  for (const path of ['/:tenant/discovery/keys', '/:tenant/discovery/v2.0/keys'])
    app.get<OfTenant>(path, async ({ params: { tenant } }) => {
      checkTenant(credentials, tenant, 'invalid_tenant')
      return { keys: [] }
    })

  app.get<OfInstance>(`/${COMMON}/discovery/instance`, async ({ query }) => {
    const clouds = loginClouds(reportsUrl)
    const address = String(query.authorization_endpoint ?? '')
    const url = URL.canParse(address) ? new URL(address) : undefined
    const isKnown = url && clouds.some((hosts) => hosts.includes(url.host))
    if (!isKnown) throw new EntraError('invalid_instance', 50049, 'Unknown or invalid instance.')
    const tenant = url.pathname.split('/')[1] || COMMON
    const part = url.pathname.includes('/v2.0/') ? '/v2.0' : ''
    const origin = url.host === new URL(reportsUrl).host ? reportsUrl : `https://${url.host}`
    return {
      tenant_discovery_endpoint: `${origin}/${tenant}${part}/${CONFIGURATION}`,
      'api-version': query['api-version'] === '1.0' ? '1.0' : '1.1',
      metadata: clouds.map(([preferred, ...others]) => ({
        preferred_network: preferred,
        preferred_cache: preferred,
        aliases: [preferred, ...others],
      })),
    }
  })

  // The same answer for every user, so that it does not reveal which accounts exist.
  app.get<OfUser>(USER_REALM, async ({ params: { user } }) => ({
    ver: '1.0',
    account_type: 'Managed',
    domain_name: user.split('@').at(-1),
    cloud_instance_name: CLOUD,
    cloud_audience_urn: 'urn:federation:MicrosoftOnline',
  }))
}

/** Returns the path for the log, without the user name, which a typed address may encode. */
export const loggedPath = (request: FastifyRequest): string =>
  request.routeOptions.url === USER_REALM
    ? USER_REALM
    : pathWithoutQuery(request).replace(/(\/userrealm\/).+/i, '$1…')
