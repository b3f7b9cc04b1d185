import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { answerError, PowerBiError } from '../http/power-bi-error.ts'
import type { CountPublicCall } from '../http/public-calls.ts'
import type { Tokens } from '../http/tokens.ts'
import { EntraError } from './entra-error.ts'
import type { ServiceFile } from './service-file.ts'

const API = 'https://analysis.windows.net/powerbi/api'

type Form = Record<string, unknown>
type Options = {
  credentials: ServiceFile
  tokens: Tokens
  tokenSeconds: number
  countPublicCall: CountPublicCall
  now: () => number
}

/** Entra's token endpoint: client credentials (service principal) and password (master user). */
export async function oauthRoutes(app: FastifyInstance, options: Options) {
  const { credentials, tokens, tokenSeconds, countPublicCall, now } = options
  app.addHook('onRequest', countPublicCall)
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof PowerBiError) return answerError(error, request, reply)
    const known = error instanceof EntraError ? error : EntraError.from(error)
    if (known.status === 500) request.log.error({ err: error }, 'unexpected error')
    return reply.code(known.status).send(known.body(now(), randomUUID()))
  })

  app.post<{ Params: { tenant: string } }>('/:tenant/oauth2/v2.0/token', async (request, reply) => {
    const form: Form = isForm(request.body) ? request.body : {}
    checkTenant(credentials, request.params.tenant)
    const grant = GRANTS.get(field(form, 'grant_type'))
    if (!grant)
      throw new EntraError('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.')
    const scope = grant(form, credentials)
    const subject = { tenantId: credentials.tenantId, clientId: field(form, 'client_id').toLowerCase() }
    return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send({
      token_type: 'Bearer',
      ...(scope && { scope }),
      expires_in: tokenSeconds,
      ext_expires_in: tokenSeconds,
      access_token: tokens.signEntra(subject, tokenSeconds),
    })
  })
}

/** Checks the caller and returns the scope to report, if any. */
type Grant = (form: Form, credentials: ServiceFile) => string | undefined

const clientCredentials: Grant = (form, credentials) => {
  checkSecret(findApplication(form, credentials).clientSecret, form)
  if (field(form, 'scope') !== `${API}/.default`) throw invalidScope(form)
  return undefined
}

const password: Grant = (form, credentials) => {
  const application = findApplication(form, credentials)
  // A public client sends no secret; a secret that is sent must be correct.
  if (form.client_secret !== undefined) checkSecret(application.clientSecret, form)
  const scopes = field(form, 'scope').split(/\s+/)
  if (!scopes.every((scope) => scope.startsWith(`${API}/`) || OPENID.includes(scope)))
    throw invalidScope(form)
  checkUser(form, credentials)
  return scopes.join(' ')
}

const GRANTS = new Map<string, Grant>([
  ['client_credentials', clientCredentials],
  ['password', password],
])
const OPENID = ['openid', 'profile', 'email', 'offline_access']

/** Accepts `organizations` (any tenant, at Microsoft): there is only one tenant here. */
function checkTenant({ tenantId }: ServiceFile, tenant: string) {
  if ([tenantId, 'organizations'].includes(tenant.toLowerCase())) return
  throw new EntraError('invalid_request', 90002, `Tenant '${printable(tenant)}' not found.`)
}

function findApplication(form: Form, { applications }: ServiceFile) {
  const clientId = field(form, 'client_id')
  const application = applications.find((known) => known.clientId === clientId.toLowerCase())
  if (application) return application
  const description = `Application with identifier '${printable(clientId)}' was not found in the directory.`
  throw new EntraError('unauthorized_client', 700016, description)
}

function checkSecret(secret: string, form: Form) {
  if (form.client_secret === undefined || form.client_secret === '') {
    throw new EntraError('invalid_client', 7000218, "The request body must contain 'client_secret'.")
  }
  if (isSame(field(form, 'client_secret'), secret)) return
  throw new EntraError('invalid_client', 7000215, 'Invalid client secret provided.')
}

/** An unknown user takes as long as, and gets the same answer as, a wrong password. */
function checkUser(form: Form, { users }: ServiceFile) {
  const username = field(form, 'username').toLowerCase()
  const password = field(form, 'password')
  const user = users.find((known) => known.username.toLowerCase() === username)
  const isRight = isSame(password, user?.password ?? randomUUID())
  if (user && isRight) return
  throw new EntraError(
    'invalid_grant',
    50126,
    'Error validating credentials due to invalid username or password.',
  )
}

/** Compares hashes, so that the time depends on neither content nor length. */
function isSame(given: string, expected: string) {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

function field(form: Form, name: string): string {
  const value = form[name]
  if (typeof value === 'string' && value) return value
  throw new EntraError('invalid_request', 900144, `The request body must contain the parameter: '${name}'.`)
}

const invalidScope = (form: Form) =>
  new EntraError(
    'invalid_scope',
    70011,
    `The provided scope '${printable(String(form.scope))}' is not valid.`,
  )
const isForm = (body: unknown): body is Form => typeof body === 'object' && body !== null
const printable = (text: string) => text.replace(/[^\w.:/ @-]/g, '').slice(0, 100)
