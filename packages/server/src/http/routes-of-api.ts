import { type Endpoint, ownSessionsApi, sessionsApi } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'

/** Uses the matched route, not the address as typed: `/%61pi` is the API too. */
export const isApi = (request: FastifyRequest): boolean =>
  request.routeOptions.url?.startsWith('/api') ?? false

/** Returns a function that tells whether a request is a call of one of these endpoints. */
export const matcherOf = (endpoints: Pick<Endpoint, 'method' | 'url'>[]) => {
  const calls = new Set(endpoints.map(({ method, url }) => `${method} /api${url}`))
  return ({ method, routeOptions }: FastifyRequest): boolean => calls.has(`${method} ${routeOptions.url}`)
}

/** The calls that end sessions: no limit may block the owner of a stolen session from them. */
export const sessionEndingCalls = [sessionsApi.signOut, ownSessionsApi.end, ownSessionsApi.endAll]
