import {
  can,
  isBlocking,
  isImpersonal,
  KIOSK_CREDENTIAL,
  type Permission,
  pendingProblems,
  VISIT_CREDENTIAL,
} from '@bi-manager/contract'
import fastifyJwt, { type TokenOrHeader } from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { z } from 'zod'
import type { Secrets } from '../../config/secrets.ts'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import { isAddressAllowed } from '../../lib/networks.ts'
import { Problem } from '../../lib/problem.ts'
import { isApi, matcherOf, sessionEndingCalls } from '../api/routes-of-api.ts'
import type { Caller } from '../callers/caller.ts'
import type { GuestVisit } from '../callers/guest-visit.ts'
import type { KioskDevice } from '../callers/kiosk-device.ts'
import { networkOf } from '../limits/network-of.ts'
import {
  assertKeyReaches,
  createKeyReader,
  type FindKeyCaller,
  hasKey,
  type NoteKeyUse,
} from './api-key-calls.ts'
import { createCredentialReader } from './credential-reader.ts'
import { assertFewCalls, type CountCall, rateLimitStoreOf } from './shared-call-counts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Claims of a token with a valid signature; the session's row decides whether it is live. */
    tokenClaims: TokenClaims | undefined
    /** Whether the whole body had arrived when the guard read the session. */
    isBodyComplete: boolean
  }
  interface FastifyInstance {
    /**
     * Checks session, account and permission again, for a call whose body arrived after the first
     * check.
     * @throws Problem 401 when the session has ended, 403 when the permission was removed
     */
    checkCallerAgain: (request: FastifyRequest) => Promise<Caller>
  }
}

interface GuardOptions {
  /** The first one signs; any of them may have signed a session that is still live. */
  tokenKeys: Secrets['tokenKeys']
  /** API calls per minute and session, screen or visit, or per network for other calls. */
  callsPerMinute: number
  countCall: CountCall
  /** API calls per minute of all sessions of a user together. */
  callsPerPerson: number
  countPersonCall: CountCall
  /**
   * Returns the live session behind a verified token; undefined when it has ended, was idle too
   * long, or the account is not active.
   */
  findCaller: (claims: {
    idSessao: string
    idUsuario: number
    isUserActivity: boolean
  }) => Promise<Caller | undefined>
  /** Whether the networks of each role apply. */
  signInNetworks: boolean
  /**
   * Returns the connected screen of a credential; undefined when it was revoked or has expired.
   * @throws Problem 403 when the kiosk may not be shown at the address
   */
  findKiosk: (credential: string, address: string) => Promise<KioskDevice | undefined>
  /**
   * Returns the open visit of a credential; undefined when it has ended or the guest may not visit.
   * @throws Problem 403 when guests may not visit from the address
   */
  findVisit: (credential: string, address: string) => Promise<GuestVisit | undefined>
  findKeyCaller: FindKeyCaller
  noteKeyUse: NoteKeyUse
}

type KeyReader = ReturnType<typeof createKeyReader>

/**
 * Refuses callers without the route's permission, and refuses to start when a route declares none.
 * Order: token signature, rate limit of the session, session, network, rate limit of the user,
 * permission.
 * A call with an API key also needs a group of the key that reaches the route, even a public one.
 */
export const sessionGuard = fp(async (app: FastifyInstance, options: GuardOptions) => {
  const screens = createCredentialReader({
    permission: 'kiosk:show',
    refused: 'telao_desconectado',
    counted: 'tela',
    form: KIOSK_CREDENTIAL,
    find: options.findKiosk,
  })
  const guests = createCredentialReader({
    permission: 'guest:visit',
    refused: 'visita_encerrada',
    counted: 'visita',
    form: VISIT_CREDENTIAL,
    find: options.findVisit,
  })
  const keys = createKeyReader(options.findKeyCaller)
  const [current] = options.tokenKeys
  const keyOf = async (_request: FastifyRequest, token: TokenOrHeader): Promise<string> => {
    const { kid } = 'header' in token ? token.header : token
    return (options.tokenKeys.find(({ id }) => id === kid) ?? current).key
  }
  await app.register(fastifyJwt, {
    // Looked up by its id only when there is more than one.
    secret: { private: current.key, public: options.tokenKeys.length > 1 ? keyOf : current.key },
    // `complete` also decodes the header, which names the key.
    decode: { complete: true },
    sign: { algorithm: 'HS256', kid: current.id },
    verify: { algorithms: ['HS256'] },
  })
  await app.register(rateLimit, { global: false, store: rateLimitStoreOf(options.countCall) })
  app.decorateRequest('tokenClaims', undefined)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('kiosk', undefined)
  app.decorateRequest('guest', undefined)
  app.decorateRequest('isBodyComplete', false)

  refuseRoutesWithoutPermission(app)
  app.addHook('onRequest', createTokenReader())
  app.addHook(
    'onRequest',
    app.rateLimit({
      max: options.callsPerMinute,
      timeWindow: 60_000,
      allowList: (request) => !isApi(request),
      keyGenerator: (request) =>
        request.tokenClaims?.jti ??
        screens.limitKeyOf(request) ??
        guests.limitKeyOf(request) ??
        keys.limitKeyOf(request, (owner) => isInNetworks(request, owner, options)) ??
        networkOf(request.ip),
      errorResponseBuilder: (_, { ttl }) => new Problem('muitas_tentativas', { retryAfter: ttl / 1000 }),
    }),
  )
  app.addHook('onRequest', async (request) => {
    const { permission } = request.routeOptions.config
    // No route matched: the not-found handler answers.
    if (!permission) return
    request.isBodyComplete = request.raw.complete
    if (hasKey(request) && isApi(request)) return admitKey(request, keys, options)
    // Persons have no such permission: their calls are refused below.
    if (isImpersonal(permission)) {
      request.kiosk = await screens.bearerOf(request)
      request.guest = await guests.bearerOf(request)
    }
    if (request.kiosk || request.guest) return
    const caller = permission === 'public' ? undefined : await callerOf(request, options)
    if (permission === 'public' && isApi(request)) await countPublicCall(request, options)
    assertSameIdentity(request, caller)
    if (request.routeOptions.config.isForKeys) throw new Problem('chave_invalida')
    assertPermission(caller, permission)
  })
  app.decorate('checkCallerAgain', async (request: FastifyRequest) => {
    const isKeyCall = request.caller?.chave !== undefined
    const caller = isKeyCall ? await keys.callerOf(request) : await liveCallerOf(request, options)
    if (!caller) throw new Problem('sessao_encerrada')
    assertKeyReaches(caller, request)
    assertNetwork(request, caller, options)
    assertPermission(caller, request.routeOptions.config.permission ?? 'public')
    return caller
  })
})

/**
 * Admits a call with an API key as its owner. The keys of a user share a limit apart from that of the
 * user's sessions, so that a program does not use up the latter. A call outside the groups or networks
 * of the key is not counted: the holder of a stolen key must not use up the limit.
 */
const admitKey = async (request: FastifyRequest, keys: KeyReader, options: GuardOptions): Promise<void> => {
  const { callsPerPerson, countPersonCall, noteKeyUse } = options
  const caller = await keys.callerOf(request)
  // Set before the refusals, so that the audit names the caller.
  request.caller = caller
  assertKeyReaches(caller, request)
  assertNetwork(request, caller, options)
  await assertFewCalls(countPersonCall, `chaves:${caller.idUsuario}`, callsPerPerson)
  await noteKeyUse(caller, request.ip)
  assertSameIdentity(request, caller)
  assertPermission(caller, request.routeOptions.config.permission ?? 'public')
}

const assertPermission = (caller: Caller | undefined, permission: Permission): void => {
  if (!can(caller, permission)) throw new Problem('sem_permissao')
  if (permission !== 'session:own' && isBlocking(caller?.pendencia)) {
    throw new Problem(pendingProblems[caller.pendencia])
  }
}

const refuseRoutesWithoutPermission = (app: FastifyInstance): void => {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  app.addHook('onReady', async () => {
    const open = routes
      .filter(({ config }) => !config?.permission)
      .map(({ method, url }) => `${method} ${url}`)
    if (open.length > 0) throw new Error(`These routes state no permission: ${open.join(', ')}`)
  })
}

/** `sub` is the user's id, `jti` the session's. Permissions are never in the token. */
const TokenClaims = z.object({ sub: z.coerce.number().int(), jti: z.guid(), exp: z.number() })
type TokenClaims = z.infer<typeof TokenClaims>

/** Reads a token's claims. Caches verified headers until they expire. */
const createTokenReader = () => {
  const proven = createBoundedCache<TokenClaims>(5_000)
  return async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers
    if (!authorization || hasKey(request)) return
    const known = proven.get(authorization)
    if (known && Date.now() < known.exp * 1000) {
      request.tokenClaims = known
      return
    }
    try {
      const claims = TokenClaims.parse(await request.jwtVerify())
      proven.set(authorization, claims)
      request.tokenClaims = claims
    } catch (err) {
      // Public routes need no claims; the guard refuses the call on all others.
      request.log.debug({ err }, 'token refused')
    }
  }
}

/**
 * Counts the call for the user too. Calls of ended sessions are counted apart, so that the holder
 * of such a token cannot use up the limit of the user's open sessions.
 */
const assertPersonMayCall = async (
  { tokenClaims }: FastifyRequest,
  { callsPerPerson, countPersonCall }: GuardOptions,
  caller?: Caller,
): Promise<void> => {
  if (!tokenClaims) return
  const key = `${caller ? 'pessoa' : 'sem-sessao'}:${tokenClaims.sub}`
  await assertFewCalls(countPersonCall, key, callsPerPerson)
}

/** A public call may carry a token; that of an ended session must not use up its owner's limit. */
const countPublicCall = async (request: FastifyRequest, options: GuardOptions): Promise<void> => {
  if (!request.tokenClaims) return
  await assertPersonMayCall(request, options, await liveCallerOf(request, options, { isUserActivity: false }))
}

/** These calls count only for their session: stolen sessions may have used up the user's limit. */
const endsSession = matcherOf(sessionEndingCalls)

const callerOf = async (request: FastifyRequest, options: GuardOptions): Promise<Caller> => {
  if (!request.headers.authorization) throw new Problem('sessao_ausente')
  const caller = await liveCallerOf(request, options)
  // Set before the refusals, so that the audit names the caller.
  request.caller = caller
  // Before the count: a stolen session on another network must not use up the user's limit.
  if (caller) assertNetwork(request, caller, options)
  if (!caller || !endsSession(request)) await assertPersonMayCall(request, options, caller)
  if (!caller) throw new Problem('sessao_encerrada')
  return caller
}

/** @throws Problem when the specification's headers name another user than the caller */
const assertSameIdentity = ({ headers }: FastifyRequest, caller: Caller | undefined): void => {
  const { usuario_id, client_id, scope } = headers
  const isOther =
    caller !== undefined &&
    (contradicts(usuario_id, caller.idUsuario) || contradicts(client_id, caller.idResponsavel))
  if (isOther || (scope !== undefined && scope !== 'backoffice')) throw new Problem('identidade_divergente')
}

/** Whether the caller's network is allowed. Calls that end a session are allowed from any network. */
const isInNetworks = (request: FastifyRequest, { redes }: Caller, { signInNetworks }: GuardOptions) =>
  !signInNetworks || endsSession(request) || isAddressAllowed(redes, request.ip)

const assertNetwork = (request: FastifyRequest, caller: Caller, options: GuardOptions): void => {
  if (!isInNetworks(request, caller, options)) throw new Problem('rede_nao_permitida')
}

/** Returns false for background calls of a page, such as token renewal: they are not user activity. */
export const isUserActivityOf = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['x-segundo-plano'] === undefined

const liveCallerOf = async (
  request: FastifyRequest,
  { findCaller }: GuardOptions,
  // A background call does not extend the session.
  { isUserActivity } = { isUserActivity: isUserActivityOf(request) },
): Promise<Caller | undefined> => {
  const { tokenClaims } = request
  if (!tokenClaims) return undefined
  return findCaller({ idSessao: tokenClaims.jti, idUsuario: tokenClaims.sub, isUserActivity })
}

const contradicts = (header: string | string[] | undefined, id: number): boolean =>
  header !== undefined && header !== String(id)
