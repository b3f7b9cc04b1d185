import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

export type DraftCall = FastifyRequest<{ Params: { id: string } }>

/** Returns the person that the portal sent the call for, as the portal names them. */
export const ownerOf = ({ headers }: { headers: IncomingHttpHeaders }): string =>
  String(headers['x-requested-for'] ?? '').slice(0, 100)
