import type { Readable } from 'node:stream'
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
/** Text, bytes or a stream where the answer is not JSON; a string of JSON is sent as it is. */
type Answer<E extends Endpoint> = E['contentType'] extends string
  ? string | Buffer | Readable
  : z.input<E['response'][keyof E['response']]> | SerialisedJson

interface Context<E extends Endpoint> {
  user: CallerOf<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** An answer that was kept as the text that it is sent as. It has been through its schema when it was made. */
export class SerialisedJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

interface ServeOptions<E extends Endpoint> {
  /** Judges the target before the body is read: a caller without the right never learns whether it was well formed. */
  authorize?: (params: Parsed<E, 'params'>, user: CallerOf<E>) => Promise<void>
  /** Bytes of a body at most, where the server's own limit does not fit. */
  bodyLimit?: number
}

/** Registers one endpoint of the contract. Validation, permission, documentation and serialisation follow from it. */
export const serve = <const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (
    input: { params: Parsed<E, 'params'>; query: Parsed<E, 'query'>; body: Parsed<E, 'body'> },
    context: Context<E>,
  ) => Promise<Answer<E>> | Answer<E>,
  { authorize, bodyLimit }: ServeOptions<E> = {},
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
    // A HEAD would run the handler for nothing, and never end a stream.
    exposeHeadRoute: false,
    onRequest: judgeTarget,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    schema: {
      tags: [endpoint.tag],
      summary: endpoint.summary,
      description: `Permissão: \`${endpoint.permission}\``,
      ...(endpoint.permission === 'public' ? { security: [] } : {}),
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      response: {
        ...responsesOf(endpoint),
        default: { content: { 'application/problem+json': { schema: ProblemBody } } },
      },
    },
    handler: async (request, reply) => {
      const { params, query, body } = request
      const answer = await handler({ params, query, body } as Parameters<typeof handler>[0], {
        user: request.caller as CallerOf<E>,
        request,
        reply,
      })
      if (endpoint.contentType) {
        return reply.type(withCharset(endpoint.contentType)).send(answer)
      }
      if (answer instanceof SerialisedJson) {
        return reply.type('application/json; charset=utf-8').send(answer.text)
      }
      if (isVersioned(answer)) reply.header('etag', `"${answer.versao}"`)
      // A handler that may answer several statuses has set one on the reply.
      if (reply.statusCode === 200) reply.code(status)
      return answer ?? null
    },
  })
}

/** Only text has a charset. */
const withCharset = (contentType: string): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

const isVersioned = (answer: unknown): answer is { versao: number } =>
  typeof answer === 'object' && answer !== null && 'versao' in answer && typeof answer.versao === 'number'

/** A bodiless status is `z.void()` in the contract, which JSON Schema cannot say. */
const responsesOf = ({ response, contentType }: Endpoint): Record<number, unknown> =>
  Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      schema instanceof z.ZodVoid
        ? z.null().meta({ description: 'Sem conteúdo' })
        : contentType
          ? { content: { [contentType]: { schema } } }
          : schema,
    ]),
  )
