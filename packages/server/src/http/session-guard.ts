import { can } from '@bi-manager/contract'
import fastifyJwt from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import type { Caller } from './caller.ts'

interface GuardOptions {
  tokenKey: Buffer
  /** The live session behind a verified token; undefined when it ended, idled out, or its person may not be in. */
  findCaller: (idSessao: string, idUsuario: number) => Promise<Caller | undefined>
}

/** Lets nobody past who lacks the route's permission, and refuses to start while a route states none. */
export const sessionGuard = fp(async (app: FastifyInstance, { tokenKey, findCaller }: GuardOptions) => {
  await app.register(fastifyJwt, {
    secret: tokenKey,
    sign: { algorithm: 'HS256' },
    verify: { algorithms: ['HS256'] },
  })
  app.decorateRequest('caller', undefined)

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

  app.addHook('onRequest', async (request) => {
    const { permission } = request.routeOptions.config
    // No route matched: the not-found handler answers.
    if (!permission) return
    const { scope, usuario_id, client_id } = request.headers
    if (scope !== undefined && scope !== 'backoffice') throw new Problem('identidade_divergente')
    if (permission === 'public') return
    const caller = await findCaller(...(await tokenOf(request)))
    if (!caller) throw new Problem('sessao_encerrada')
    if (contradicts(usuario_id, caller.idUsuario) || contradicts(client_id, caller.idResponsavel)) {
      throw new Problem('identidade_divergente')
    }
    if (!can(caller, permission)) throw new Problem('sem_permissao')
    request.caller = caller
  })
})

/** `sub` is the user's id, `jti` the session's row. What a person may do is never in the token. */
const TokenClaims = z.object({ sub: z.coerce.number().int(), jti: z.guid() })

const tokenOf = async (request: FastifyRequest): Promise<[idSessao: string, idUsuario: number]> => {
  if (!request.headers.authorization) throw new Problem('sessao_ausente')
  try {
    const { jti, sub } = TokenClaims.parse(await request.jwtVerify())
    return [jti, sub]
  } catch (cause) {
    throw new Problem('sessao_encerrada', { cause })
  }
}

const contradicts = (header: string | string[] | undefined, id: number): boolean =>
  header !== undefined && header !== String(id)
