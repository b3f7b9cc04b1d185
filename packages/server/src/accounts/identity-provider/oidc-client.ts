import * as oidc from 'openid-client'
import { z } from 'zod'
import type { Config } from '../../platform/config/config.ts'
import { connectionFault, faultSentence } from '../../platform/lib/connection-fault.ts'
import { limitedText } from '../../platform/lib/limited-text.ts'
import { Problem } from '../../platform/lib/problem.ts'

/** The values that the browser stores between leaving for the provider and returning. */
interface OidcAttempt {
  estado: string
  nonce: string
  /** The PKCE verifier. */
  verificador: string
}

/**
 * A person whom the provider vouches for. `issuer` and `subject` together identify exactly one
 * person.
 */
export interface ExternalPerson {
  issuer: string
  subject: string
  email: string | undefined
  /** Undefined when the provider does not say. */
  emailVerified: boolean | undefined
  name: string | undefined
}

/** Why a sign-in failed. Safe to log and audit: contains no code, token, verifier or claim. */
export class OidcFailure extends Error {
  override readonly name = 'OidcFailure'
  /** The provider's `error`, or the library's name of the failed check. */
  readonly reason: string
  /** The code of `connectionFault`. */
  readonly fault: string | undefined

  constructor(reason: string, message: string, fault?: string) {
    super(`${reason}: ${message}`)
    this.reason = reason
    this.fault = fault
  }
}

type Settings = NonNullable<Config['oidc']>

interface Options {
  settings: Settings
  /** Must match the registration at the provider exactly. */
  redirectUri: string
  now: () => Date
}

const hour = 3_600_000

/**
 * Creates a client for the authorization code flow with PKCE. Discovery runs at the first use, and
 * again every hour.
 */
export const createOidcClient = ({ settings, redirectUri, now }: Options) => {
  let known: { discovered: Promise<oidc.Configuration>; at: number } | undefined

  const discovered = (): Promise<oidc.Configuration> => {
    const time = now().getTime()
    if (known && time - known.at < hour) return known.discovered
    const entry = { at: time, discovered: discover(settings) }
    known = entry
    // A failed discovery is not cached.
    entry.discovered.catch(() => {
      if (known === entry) known = undefined
    })
    return entry.discovered
  }

  return {
    /** @throws Problem `provedor_indisponivel` */
    start: async () => {
      const provider = await discovered()
      const verificador = oidc.randomPKCECodeVerifier()
      const attempt = { estado: oidc.randomState(), nonce: oidc.randomNonce(), verificador }
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        response_mode: 'query',
        code_challenge: await oidc.calculatePKCECodeChallenge(verificador),
        code_challenge_method: 'S256',
        state: attempt.estado,
        nonce: attempt.nonce,
      })
      return { url: url.href, ...attempt }
    },
    /**
     * Redeems the provider's response and returns the person.
     * @param back the query of the return address, and the values of `start`
     * @throws Problem `entrada_recusada` or `provedor_indisponivel`, with an OidcFailure as cause
     */
    finish: async (back: OidcAttempt & { retorno: string }): Promise<ExternalPerson> => {
      const { retorno, estado, nonce, verificador } = back
      const provider = await discovered()
      const address = new URL(redirectUri)
      address.search = retorno
      const checks = { expectedState: estado, expectedNonce: nonce, pkceCodeVerifier: verificador }
      try {
        const tokens = await oidc.authorizationCodeGrant(provider, address, checks)
        return await personOf(provider, tokens)
      } catch (error) {
        const secrets = [address.searchParams.get('code'), verificador, settings.clientSecret]
        throw problemOf(error, secrets)
      }
    },
  }
}

/** Seconds by which the provider's clock may differ from this one. */
const CLOCK_TOLERANCE = 300

const discover = async ({ issuer, clientId, clientSecret, timeoutMs }: Settings) => {
  // Only https, unless the operator configured an http:// issuer.
  const insecure = new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : []
  try {
    const authentication = authenticationOf(clientSecret)
    const client = {
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      [oidc.clockTolerance]: CLOCK_TOLERANCE,
    }
    const provider = await oidc.discovery(new URL(issuer), clientId, client, authentication, {
      timeout: timeoutMs / 1000,
      // Without this, the signature of an ID token from the token endpoint is not verified.
      execute: [...insecure, oidc.enableNonRepudiationChecks],
      [oidc.customFetch]: fetchWithLimits,
    })
    assertUsable(provider)
    return provider
  } catch (error) {
    const cause = failureOf(error, [])
    if (cause.reason === ISSUER) throw new Problem('provedor_indisponivel', { cause, detail: OTHER_ISSUER })
    throw unavailable(cause)
  }
}

/** Detects an incomplete discovery document before the browser is redirected. */
const assertUsable = (provider: oidc.Configuration): void => {
  oidc.buildAuthorizationUrl(provider, {})
  const { token_endpoint, jwks_uri } = provider.serverMetadata()
  if (!token_endpoint || !jwks_uri) {
    throw new OidcFailure('metadata', 'the provider names no token_endpoint or no jwks_uri')
  }
}

/**
 * Chooses the authentication method by the discovery document; the body where both are allowed,
 * because it needs no escaping.
 */
const authenticationOf = (secret: string | undefined): oidc.ClientAuth => {
  if (secret === undefined) return oidc.None()
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return taken.includes('client_secret_post') ? inBody(server, ...rest) : inHeader(server, ...rest)
  }
}

/**
 * Thrown when there is no usable answer: no connection, timeout, too large, or a failure of the
 * provider.
 */
class Unreachable extends Error {
  override readonly name = 'Unreachable'
  /** The code of `connectionFault`. */
  readonly fault: string | undefined

  constructor(message: string, fault?: string) {
    super(message)
    this.fault = fault
  }
}

/** Bytes; far above the size of any token, key set or discovery document. */
const largestAnswer = 1024 * 1024

const fetchWithLimits: oidc.CustomFetch = async (url, { body, ...init }) => {
  try {
    const response = await fetch(url, { ...init, body: body as NonNullable<RequestInit['body']> | null })
    const text = await limitedText(response, largestAnswer)
    if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`)
    const { status, headers } = response
    return new Response(text === '' ? null : text, { status, headers })
  } catch (error) {
    const { origin, pathname } = new URL(url)
    const { message, cause } = error as Error
    const fault = connectionFault(error)
    if (fault)
      throw new Unreachable(
        `no answer from ${origin}${pathname}: ${faultSentence(fault, `de ${origin}`)}`,
        fault,
      )
    const why = cause instanceof Error ? `${message} (${cause.message})` : message
    throw new Unreachable(`no answer from ${origin}${pathname}: ${why}`)
  }
}

const Claims = z.object({
  email: z.string().min(1).optional().catch(undefined),
  // Some providers send a string.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
})

const personOf = async (
  provider: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<ExternalPerson> => {
  const claims = tokens.claims()
  if (!claims) throw new OidcFailure('id_token', 'the provider sent none')
  const { iss: issuer, sub: subject } = claims
  const own = Claims.parse(claims)
  // Some providers put the claims of 'email' and 'profile' into the ID token, others only into
  // userinfo.
  const asked =
    own.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
      ? Claims.parse(await oidc.fetchUserInfo(provider, tokens.access_token, subject))
      : own
  const { email, email_verified: emailVerified } = asked
  return { issuer, subject, email, emailVerified, name: asked.name ?? own.name }
}

/**
 * Provider errors that do not concern the person: temporary ones, and those that need an
 * administrator.
 */
const troubles = ['temporarily_unavailable', 'server_error']
const refusedClient = ['invalid_client', 'unauthorized_client']

const problemOf = (error: unknown, secrets: (string | null | undefined)[]): Problem => {
  const cause = failureOf(error, secrets)
  const isRefusedClient =
    refusedClient.includes(cause.reason) || error instanceof oidc.WWWAuthenticateChallengeError
  if (isRefusedClient) {
    const detail = 'O provedor de identidade não aceita a credencial deste portal. Avise um administrador.'
    return new Problem('provedor_indisponivel', { cause, detail })
  }
  if (cause.reason === ISSUER) return new Problem('provedor_indisponivel', { cause, detail: OTHER_ISSUER })
  if (cause.reason === CLOCK) return new Problem('entrada_recusada', { cause, detail: OTHER_CLOCK })
  const isAway = cause.reason === UNREACHABLE || troubles.includes(cause.reason)
  return isAway ? unavailable(cause) : new Problem('entrada_recusada', { cause })
}

/** Returns the problem for the user; the administrator, who can act, finds the cause in the log. */
const unavailable = (cause: OidcFailure): Problem => {
  const { fault } = cause
  if (!fault) return new Problem('provedor_indisponivel', { cause })
  const what = fault.startsWith('PROXY_')
    ? 'O proxy de saída não deixa o portal chegar ao provedor de identidade.'
    : 'O portal não confia no certificado do provedor de identidade.'
  return new Problem('provedor_indisponivel', { cause, detail: `${what} Avise um administrador.` })
}

const UNREACHABLE = 'unreachable'
const ISSUER = 'issuer'
const CLOCK = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'

const OTHER_ISSUER =
  'O endereço do provedor de identidade configurado no portal (OIDC_ISSUER) não é, letra por letra, o que o provedor informa. Avise um administrador.'
const OTHER_CLOCK =
  'O relógio do provedor de identidade e o do portal diferem em mais de 5 minutos, ou a entrada demorou demais. Tente novamente; se continuar, avise um administrador.'

/** How the library describes a comparison that failed: in a discovery document, or in a token. */
const Comparison = z.object({
  expected: z.string(),
  attribute: z.literal('issuer').optional(),
  body: z.object({ issuer: z.string() }).optional(),
  claim: z.literal('iss').optional(),
  claims: z.object({ iss: z.string() }).optional(),
})

/** Returns the issuer that the provider names, when it is the expected one with another slash at the end. */
const issuerWithOtherSlash = (error: unknown): string | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const compared = Comparison.safeParse(at.cause).data
    if (!compared) continue
    const named = compared.attribute ? compared.body?.issuer : compared.claim && compared.claims?.iss
    const plain = (text: string) => text.replace(/\/$/, '')
    return named !== undefined && plain(named) === plain(compared.expected) ? named : undefined
  }
  return undefined
}

/**
 * The library's errors contain the provider's whole response: only codes and messages are taken
 * from them.
 */
const failureOf = (error: unknown, secrets: (string | null | undefined)[]): OidcFailure => {
  if (error instanceof OidcFailure) return error
  const { code, error: refusal, error_description, message, cause } = error as Record<string, unknown>
  const issuer = issuerWithOtherSlash(error)
  if (issuer !== undefined) return new OidcFailure(ISSUER, `the provider calls itself ${issuer}`)
  if (cause instanceof Unreachable) return new OidcFailure(UNREACHABLE, cause.message, cause.fault)
  const reason = [refusal, code].find((text) => typeof text === 'string' && /^[\w.-]{1,60}$/.test(text))
  const said = [message, error_description].filter((text) => typeof text === 'string').join(': ')
  const shown = secrets.reduce<string>(
    (text, secret) => (secret ? text.replaceAll(secret, '***') : text),
    said,
  )
  return new OidcFailure(typeof reason === 'string' ? reason : 'unknown', shown.slice(0, 300))
}
