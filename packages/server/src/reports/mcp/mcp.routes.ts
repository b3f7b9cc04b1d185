import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { ConnectionServices } from '../../connections/index.ts'
import { answerSlot } from '../../platform/http/limits/answer-slots.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { isMcpOn } from './mcp.repository.ts'
import { createReportTools } from './report-tools.ts'

/** Bytes of one message. */
const LARGEST_MESSAGE = 64 * 1024

/**
 * Serves MCP (Streamable HTTP, stateless) at `/mcp` for API keys that may read the data of reports.
 * The guard admits them as to any other call.
 */
export const mcpRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, config } = services
  const tools = createReportTools(app, services)
  const ownOrigin = new URL(config.publicUrl).origin

  const assertReachable: onRequestAsyncHookHandler = async ({ headers }) => {
    // Only browsers send an origin: a page of another one could reach the portal by DNS rebinding.
    if (headers.origin !== undefined && headers.origin !== ownOrigin) {
      throw new Problem('sem_permissao', { detail: 'Esta chamada veio de uma página de outro endereço.' })
    }
    if (!(await isMcpOn(db))) throw new Problem('nao_encontrado')
  }

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    bodyLimit: LARGEST_MESSAGE,
    config: { permission: 'reports:view', keyGroups: ['DADOS'], isForKeys: true },
    schema: { hide: true },
    onRequest: [assertReachable, answerSlot('values')],
    preValidation: async (request) => {
      // A batch, as in the revision of March 2025, would count as one call.
      if (Array.isArray(request.body)) {
        throw new Problem('requisicao_invalida', { detail: 'Envie uma mensagem por chamada.' })
      }
      if (!request.isBodyComplete) request.caller = await app.checkCallerAgain(request)
    },
    handler: async (request, reply) => {
      const { caller: user } = request
      if (!user) throw new Problem('chave_invalida')
      // Loaded with the first call: most installations have no MCP.
      const { answerMcp } = await import('./mcp-server.ts')
      const answer = await answerMcp({ user, request, tools })
      reply.code(answer.status)
      const type = answer.headers.get('content-type')
      if (type) reply.type(type)
      return reply.send(await answer.text())
    },
  })
}
