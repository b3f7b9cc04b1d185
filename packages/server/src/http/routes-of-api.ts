import type { FastifyRequest } from 'fastify'

/** Judged by the route that matched, never by the address as typed: `/%61pi` is the API too. */
export const isApi = (request: FastifyRequest): boolean =>
  request.routeOptions.url?.startsWith('/api') ?? false
