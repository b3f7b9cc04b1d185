import { type Endpoint, ownSessionsApi, sessionsApi } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'

/** Returns whether the matched route is the API's. The typed address may differ: `/%61pi`. */
export const isApi = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  url !== undefined && (url.startsWith('/api') || url === '/mcp')

/** Returns a function that tells whether a request is a call of one of these endpoints. */
export const matcherOf = (endpoints: Pick<Endpoint, 'method' | 'url'>[]) => {
  const calls = new Set(endpoints.map(({ method, url }) => `${method} /api${url}`))
  return ({ method, routeOptions }: FastifyRequest): boolean => calls.has(`${method} ${routeOptions.url}`)
}

/**
 * With these calls a user ends a session that was stolen, so they are not refused when the thief has
 * used up the limit of the user's calls, nor on a full disk. The limit of each session applies.
 */
export const sessionEndingCalls = [sessionsApi.signOut, ownSessionsApi.end, ownSessionsApi.endAll]
