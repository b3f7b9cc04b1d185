import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notAuthorized } from './power-bi-error.ts'
import type { CountPublicCall } from './public-calls.ts'

/**
 * Verifies the token of each call before its body is read, and lets no cache keep the answers.
 * Refused calls are counted by address. `verify` gets an empty text without a token.
 * @returns a function that returns the claims of a request's token
 */
export const guardByToken = <Claims>(
  app: FastifyInstance,
  scheme: 'Bearer' | 'EmbedToken',
  countPublicCall: CountPublicCall,
  verify: (token: string, request: FastifyRequest) => Claims,
) => {
  const verified = new WeakMap<object, Claims>()
  const header = new RegExp(`^${scheme} +(\\S+)$`, 'i')
  app.addHook('onRequest', async (request) => {
    const [, token = ''] = header.exec(request.headers.authorization ?? '') ?? []
    try {
      verified.set(request, verify(token, request))
    } catch (refusal) {
      await countPublicCall(request)
      throw refusal
    }
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  return (request: object): Claims => {
    const claims = verified.get(request)
    if (!claims) throw notAuthorized(401)
    return claims
  }
}
