import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refuseBrokenRequest } from '../errors/error-handler.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Milliseconds for a body to arrive. File routes lift it with `liftBodyTimeLimit`. */
    bodyTime: { ms: number }
  }
  interface FastifyRequest {
    bodyTimer: NodeJS.Timeout | undefined
  }
}

/**
 * Ends requests whose body arrives too slowly. The server's own limit applies to every request and
 * is long enough for a file sent from a phone; this shorter one applies to every other body.
 */
export const bodyTime = fp(async (app: FastifyInstance) => {
  app.decorate('bodyTime', { ms: 30_000 })
  app.decorateRequest('bodyTimer', undefined)
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    request.bodyTimer = setTimeout(() => {
      if (!raw.complete && !raw.destroyed) refuseBrokenRequest(new Error('slow body'), raw.socket)
    }, app.bodyTime.ms)
    raw.once('close', () => clearTimeout(request.bodyTimer))
  })
})

/** Lifts the limit of `bodyTime` for a route that takes files, once the caller is authorised. */
export const liftBodyTimeLimit = ({ bodyTimer }: FastifyRequest): void => clearTimeout(bodyTimer)
