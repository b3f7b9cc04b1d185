import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refuseBrokenRequest } from './error-handler.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Milliseconds within which a body has to be there; where files are taken, only the server's own limit counts. */
    bodyTime: { ms: number }
  }
  interface FastifyRequest {
    bodyTimer: NodeJS.Timeout | undefined
  }
}

/**
 * Cuts off bodies that trickle in. The server's own limit is one for all requests, and leaves a file from a telephone time to
 * come: whoever may not send one, or sends no file, has this one.
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

/** For a route that takes files, once it is known that the caller may call it. */
export const giveBodyTime = ({ bodyTimer }: FastifyRequest): void => clearTimeout(bodyTimer)
