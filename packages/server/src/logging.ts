import type { FastifyRequest, FastifyServerOptions } from 'fastify'

/** Structured logs without secrets: headers and bodies are never written, and addresses lose their query. */
export const logOptions = (level: string): FastifyServerOptions['logger'] => ({
  level,
  redact: {
    paths: ['*.authorization', '*.password', '*.senha', '*.secret', '*.segredo', '*.token', '*.access_token'],
    censor: '[removido]',
  },
  serializers: {
    req: (request: FastifyRequest) => ({
      id: request.id,
      method: request.method,
      path: request.url.split('?')[0],
      address: request.ip,
    }),
  },
})
