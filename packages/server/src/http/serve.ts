import { type Endpoint, type Permission, ProblemBody } from '@bi-manager/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import type { Caller } from './caller.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route states one, or the server does not start. */
    permission?: Permission
  }
}

type Parsed<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends z.ZodType
  ? z.output<E[K]>
  : undefined
type CallerOf<E extends Endpoint> = E['permission'] extends 'public' ? undefined : Caller
type Answer<E extends Endpoint> = z.input<E['response'][keyof E['response']]>

interface Context<E extends Endpoint> {
  user: CallerOf<E>
  request: FastifyRequest
  reply: FastifyReply
}

interface ServeOptions<E extends Endpoint> {
  /** Judges the target before the body is read: a caller without the right never learns whether it was well formed. */
  authorize?: (params: Parsed<E, 'params'>, user: CallerOf<E>) => Promise<void>
}

/** Registers one endpoint of the contract. Validation, permission, documentation and serialisation follow from it. */
export const serve = <const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (
    input: { params: Parsed<E, 'params'>; query: Parsed<E, 'query'>; body: Parsed<E, 'body'> },
    context: Context<E>,
  ) => Promise<Answer<E>> | Answer<E>,
  { authorize }: ServeOptions<E> = {},
): void => {
  const [status = 200] = Object.keys(endpoint.response).map(Number)
  const judgeTarget: onRequestAsyncHookHandler = async (request) => {
    const params = endpoint.params?.safeParse(request.params)
    if (params && !params.success) throw new Problem('nao_encontrado')
    await authorize?.(params?.data as Parsed<E, 'params'>, request.caller as CallerOf<E>)
  }
  app.route({
    method: endpoint.method,
    url: endpoint.url,
    config: { permission: endpoint.permission },
    onRequest: judgeTarget,
    schema: {
      tags: [endpoint.tag],
      summary: endpoint.summary,
      description: `Permissão: \`${endpoint.permission}\``,
      ...(endpoint.permission === 'public' ? { security: [] } : {}),
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      response: { ...responsesOf(endpoint), default: ProblemBody },
    },
    handler: async (request, reply) => {
      const { params, query, body } = request
      const answer = await handler({ params, query, body } as Parameters<typeof handler>[0], {
        user: request.caller as CallerOf<E>,
        request,
        reply,
      })
      // A handler that may answer several statuses has set one on the reply.
      if (reply.statusCode === 200) reply.code(status)
      return answer ?? null
    },
  })
}

/** A bodiless status is `z.void()` in the contract, which JSON Schema cannot say. */
const responsesOf = ({ response }: Endpoint): Record<number, z.ZodType> =>
  Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      schema instanceof z.ZodVoid ? z.null().meta({ description: 'Sem conteúdo' }) : schema,
    ]),
  )
