import fastifyJwt from '@fastify/jwt'
import Fastify from 'fastify'
import { serveUntilDisconnect } from './process.ts'

/*
 * A separate process that is the lower bound for the portal: Fastify alone, which verifies the same
 * token with the same library and answers the same bytes.
 */

const { key, answers } = JSON.parse(process.argv[2] ?? '') as {
  key: { id: string; key: string }
  answers: Record<string, { method: 'GET' | 'POST'; body: string }>
}
const app = Fastify()
await app.register(fastifyJwt, { secret: key.key, verify: { algorithms: ['HS256'] } })
for (const [name, { method, body }] of Object.entries(answers)) {
  app.route({
    method,
    url: `/${name}`,
    onRequest: async (request) => {
      await request.jwtVerify()
    },
    handler: (_request, reply) => reply.type('application/json; charset=utf-8').send(body),
  })
}
const server = await app.listen({ port: 0, host: '127.0.0.1' })
serveUntilDisconnect({ server }, () => app.close())
