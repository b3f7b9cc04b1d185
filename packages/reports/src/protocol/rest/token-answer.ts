import type { FastifyBaseLogger } from 'fastify'
import { ARCHIVE } from '../../http/tokens.ts'
import { derivedGuid } from './derived-guid.ts'
import type { Client } from './entra-client.ts'
import { API, type Granted, type Version } from './grants.ts'
import type { OauthOptions } from './oauth-options.ts'
import type { RefreshTokens, User } from './refresh-tokens.ts'

type Options = Pick<OauthOptions, 'credentials' | 'tokens' | 'tokenSeconds' | 'now'>
type Request = Granted & {
  version: Version
  client: Client
  wantsClientInfo: boolean
  /** The origin of the issuer. */
  origin: string
  log: FastifyBaseLogger
}

/** The call begins at once; it may take as long as the data needs. */
const ARCHIVE_SECONDS = 120

/** Returns the body of a token answer; v1 has its numbers as texts. */
export const tokenAnswer = async (options: Options, refreshTokens: RefreshTokens, request: Request) => {
  const { credentials, tokens, now } = options
  const { version, client, scope, isForArchive } = request
  const { tenantId } = credentials
  const tokenSeconds = isForArchive ? Math.min(ARCHIVE_SECONDS, options.tokenSeconds) : options.tokenSeconds
  const subject = { tenantId, clientId: client.clientId }
  const accessToken = tokens.signEntra(subject, tokenSeconds, isForArchive && ARCHIVE)
  const ofUser = request.user && (await answerForUser(options, refreshTokens, request, request.user))
  if (version === 'v2')
    return {
      token_type: 'Bearer',
      ...(scope && { scope }),
      expires_in: tokenSeconds,
      ext_expires_in: tokenSeconds,
      access_token: accessToken,
      ...ofUser,
    }
  const seconds = Math.floor(now() / 1000)
  return {
    token_type: 'Bearer',
    ...(request.user && { scope: 'user_impersonation' }),
    expires_in: String(tokenSeconds),
    ext_expires_in: String(tokenSeconds),
    expires_on: String(seconds + tokenSeconds),
    not_before: String(seconds),
    resource: API,
    access_token: accessToken,
    ...ofUser,
  }
}

const answerForUser = async (
  options: Options,
  refreshTokens: RefreshTokens,
  request: Request,
  user: User,
) => {
  const { scope, wantsClientInfo } = request
  const { tenantId } = options.credentials
  const scopes = scope.split(' ')
  const userId = derivedGuid('user', tenantId, user.username.toLowerCase())
  const refreshToken = request.nextRefreshToken ?? (await issueRefreshToken(refreshTokens, request, user))
  const clientInfo = Buffer.from(JSON.stringify({ uid: userId, utid: tenantId })).toString('base64url')
  return {
    ...(refreshToken && { refresh_token: refreshToken }),
    ...(scopes.includes('openid') && { id_token: signId(options, request, user, userId) }),
    ...(wantsClientInfo && { client_info: clientInfo }),
  }
}

const issueRefreshToken = async (
  refreshTokens: RefreshTokens,
  { version, client, scope, log }: Request,
  user: User,
): Promise<string | undefined> => {
  if (version === 'v2' && !scope.split(' ').includes('offline_access')) return undefined
  // A data folder that cannot be written only costs the client another sign-in.
  return refreshTokens.issue(client, { user, scope }).catch((error: unknown) => {
    log.warn({ err: error }, 'no refresh token was issued')
    return undefined
  })
}

const signId = (options: Options, { version, client, origin }: Request, user: User, userId: string) => {
  const { credentials, tokens, tokenSeconds } = options
  const { tenantId: tid } = credentials
  const { username } = user
  const ofUser = { sub: userId, oid: userId, tid, name: username }
  const claims =
    version === 'v2'
      ? { ...ofUser, ver: '2.0', iss: `${origin}/${tid}/v2.0`, preferred_username: username }
      : { ...ofUser, ver: '1.0', iss: `${origin}/${tid}/`, upn: username, unique_name: username }
  return tokens.signId({ ...claims, clientId: client.clientId }, tokenSeconds)
}
