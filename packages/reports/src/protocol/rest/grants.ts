import { randomUUID } from 'node:crypto'
import { ARCHIVE } from '../../http/tokens.ts'
import { type Client, missingSecret } from './entra-client.ts'
import { EntraError } from './entra-error.ts'
import type { RefreshTokens, User } from './refresh-tokens.ts'
import { isSameSecret } from './same-secret.ts'
import type { ServiceFile } from './service-file.ts'
import { type Form, field, printable } from './token-form.ts'

/** The resource of Power BI's API, which also names its scopes. */
export const API = 'https://analysis.windows.net/powerbi/api'
const WHOLE_API = `${API}/.default`
const OPENID = ['openid', 'profile', 'email', 'offline_access']

/** Entra's two endpoints: v1 takes a `resource`, v2 names it within `scope`. */
export type Version = 'v1' | 'v2'

type TokenRequest = {
  version: Version
  form: Form
  client: Client
  users: ServiceFile['users']
  refreshTokens: RefreshTokens
  /** The application that may read the archive. */
  archiveClientId: string
}

/** A checked request. Without a user, the application asked for itself. */
export type Granted = {
  scope: string
  user?: User
  /** The token that replaces the one of this request. */
  nextRefreshToken?: string
  /** The token reads the archive, and nothing else. */
  isForArchive?: true
}

export const GRANTS = new Map<string, (request: TokenRequest) => Granted | Promise<Granted>>([
  ['client_credentials', clientCredentials],
  ['password', password],
  ['refresh_token', refreshToken],
])

function clientCredentials(request: TokenRequest): Granted {
  const { client, form, version } = request
  if (!client.hasProof) throw missingSecret()
  if (version === 'v1') checkResource(form)
  else {
    const scopes = scopesOf(form)
    if (scopes.length === 1 && scopes[0] === `${ARCHIVE}/.default`) return archiveGrant(request)
    const others = scopes.filter((scope) => scope !== WHOLE_API)
    if (others.length === scopes.length || !others.every((scope) => OPENID.includes(scope)))
      throw invalidScope(form)
  }
  return { scope: '' }
}

/** Only with the secret of the portal's application: not for other programs, nor for users. */
const archiveGrant = ({ client, archiveClientId }: TokenRequest): Granted => {
  if (client.clientId !== archiveClientId)
    throw new EntraError(
      'unauthorized_client',
      65001,
      'Only the first application of the service file may read the archive.',
    )
  return { scope: '', isForArchive: true }
}

function password(request: TokenRequest): Granted {
  const { form, users } = request
  const scope = requestedScope(request)
  return { scope, user: checkUser(form, users) }
}

async function refreshToken(request: TokenRequest): Promise<Granted> {
  const { form, client, refreshTokens } = request
  const given = field(form, 'refresh_token')
  const isNamed = form.scope !== undefined || form.resource !== undefined
  const wanted = isNamed ? requestedScope(request) : undefined
  const checkScope = (granted: string) => {
    if (wanted !== undefined && !isWithin(wanted, granted)) throw invalidScope(form)
  }
  const { user, scope, next } = await refreshTokens.redeem(given, client, checkScope)
  return { user, scope: wanted ?? scope, nextRefreshToken: next }
}

/** Returns whether the sign-in granted all wanted scopes; `.default` grants the whole API. */
const isWithin = (wanted: string, granted: string): boolean => {
  // With a refresh token, offline_access is granted: v1 gives one unasked.
  const scopes = [...granted.split(' '), 'offline_access']
  const hasApi = scopes.includes(WHOLE_API)
  return wanted.split(' ').every((scope) => scopes.includes(scope) || (hasApi && scope.startsWith(`${API}/`)))
}

/** Returns the scopes of a call for a user. @throws EntraError for another API */
const requestedScope = ({ version, form }: TokenRequest): string => {
  if (version === 'v1') {
    checkResource(form)
    return [WHOLE_API, ...(form.scope === undefined ? [] : scopesOf(form))].join(' ')
  }
  const scopes = scopesOf(form)
  if (!scopes.every((scope) => scope.startsWith(`${API}/`) || OPENID.includes(scope)))
    throw invalidScope(form)
  return scopes.join(' ')
}

const scopesOf = (form: Form) => field(form, 'scope').trim().split(/\s+/)

const checkResource = (form: Form) => {
  const resource = field(form, 'resource')
  if (resource.replace(/\/$/, '') === API) return
  throw new EntraError(
    'invalid_resource',
    500011,
    `The resource principal named ${printable(resource)} was not found in the tenant.`,
  )
}

/** An unknown user takes as long as, and gets the same answer as, a wrong password. */
const checkUser = (form: Form, users: User[]): User => {
  const username = field(form, 'username').toLowerCase()
  const given = field(form, 'password')
  const user = users.find((known) => known.username.toLowerCase() === username)
  const isRight = isSameSecret(given, user?.password ?? randomUUID())
  if (user && isRight) return user
  throw new EntraError(
    'invalid_grant',
    50126,
    'Error validating credentials due to invalid username or password.',
  )
}

const invalidScope = (form: Form) =>
  new EntraError(
    'invalid_scope',
    70011,
    `The provided scope '${printable(String(form.scope))}' is not valid.`,
  )
