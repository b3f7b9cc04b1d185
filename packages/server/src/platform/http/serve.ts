import type { Readable } from 'node:stream'
import {
  type Endpoint,
  type ImpersonalPermission,
  isImpersonal,
  type KeyGroup,
  keyGroupsOf,
  keyGroupTexts,
  type Permission,
  ProblemBody,
} from '@bi-manager/contract'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onRequestAsyncHookHandler,
  preValidationAsyncHookHandler,
  RouteOptions,
} from 'fastify'
import { z } from 'zod'
import { Problem } from '../lib/problem.ts'
import { acceptMultipart, type UploadedFile, withFile } from './bodies/multipart.ts'
import type { AuditIn, Write } from './caller-transaction.ts'
import type { Caller } from './callers/caller.ts'
import { answerSlot, type LargeAnswer, largeAnswerOf } from './limits/answer-slots.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required: a route without a permission stops the server from starting. */
    permission?: Permission
    isImmutable?: boolean
  }
}

type Parsed<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends z.ZodType
  ? z.output<E[K]>
  : undefined
type CallerOf<E extends Endpoint> = E['permission'] extends ImpersonalPermission ? undefined : Caller
/** Text, bytes or a stream for other content types; serialised JSON is sent as it is. */
type Answer<E extends Endpoint> = E['contentType'] extends string
  ? string | Buffer | Readable
  : z.input<E['response'][keyof E['response']]> | SerialisedJson

interface HandlerInput<E extends Endpoint> {
  params: Parsed<E, 'params'>
  query: Parsed<E, 'query'>
  body: Parsed<E, 'body'>
  /** The uploaded file, at endpoints with `file`; undefined when none was sent. */
  file: E['file'] extends string ? UploadedFile | undefined : undefined
}

interface Context<E extends Endpoint> {
  /** Undefined where no user calls: `request.kiosk` is a screen, `request.guest` a visit. */
  user: CallerOf<E>
  request: FastifyRequest
  reply: FastifyReply
  /** Audits what the caller does; public calls have no caller. */
  auditIn: AuditIn
  /**
   * Requires a recent re-authentication, for calls whose effect decides whether one is needed.
   * @throws Problem 403 `reautenticacao_necessaria`
   */
  assertReauthenticated: E['reauthentication'] extends { if: string } ? () => void : undefined
  /** Opens the transaction of a call that changes something, made by a person. */
  write: E['permission'] extends ImpersonalPermission ? undefined : Write
}

/** An answer cached as text, or too large to hold at once. It is validated when it is made. */
export class SerialisedJson {
  readonly text: string | Readable
  constructor(text: string | Readable) {
    this.text = text
  }
}

interface ServeOptions<E extends Endpoint> {
  /**
   * Checks the target before the body is read, so that a caller without permission does not learn
   * whether the body was well formed.
   */
  authorize?: (params: Parsed<E, 'params'>, user: CallerOf<E>) => Promise<void>
  /** Limit of the body in bytes, where the server's own does not fit. */
  bodyLimit?: number
  /** Where the endpoint does not show that its answers are large. */
  largeAnswer?: LargeAnswer
}

/** Registers an endpoint: validation, permission, documentation and serialisation. */
export const serve = <const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: HandlerInput<E>, context: Context<E>) => Promise<Answer<E>> | Answer<E>,
  { authorize, bodyLimit, largeAnswer = largeAnswerOf(endpoint) }: ServeOptions<E> = {},
): void => {
  const [status = 200] = Object.keys(endpoint.response).map(Number)
  const checkTarget: onRequestAsyncHookHandler = async (request) => {
    const params = endpoint.params?.safeParse(request.params)
    if (params && !params.success) throw new Problem('nao_encontrado')
    await authorize?.(params?.data as Parsed<E, 'params'>, request.caller as CallerOf<E>)
  }
  const keyGroups = keyGroupsOf(endpoint)
  const isPublic = endpoint.permission === 'public'
  const hasNoUser = isImpersonal(endpoint.permission)
  /** A body may take minutes to arrive; session and permission may have changed since. */
  const checkCallerAgain: preValidationAsyncHookHandler = async (request, reply) => {
    if (request.isBodyComplete) return
    request.caller = await app.checkCallerAgain(request)
    await checkTarget.call(app, request, reply)
  }
  const route: RouteOptions = {
    method: endpoint.method,
    url: endpoint.url,
    config: { permission: endpoint.permission, isImmutable: endpoint.isImmutable === true, keyGroups },
    // A HEAD would run the handler for nothing, and never end a stream.
    exposeHeadRoute: false,
    onRequest: largeAnswer ? [checkTarget, answerSlot(largeAnswer)] : checkTarget,
    // On the route, so that it runs after the scope's hook that reads a multipart body.
    ...(hasNoUser || endpoint.method === 'GET' ? {} : { preValidation: checkCallerAgain }),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    schema: {
      tags: [endpoint.tag],
      summary: endpoint.summary,
      description: `Permissão: \`${endpoint.permission}\`${textOfReauthentication(endpoint)}${textOfKeys(keyGroups)}`,
      ...(isPublic ? { security: [] } : {}),
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...bodySchemaOf(endpoint),
      response: {
        ...responsesOf(endpoint),
        default: { content: { 'application/problem+json': { schema: ProblemBody } } },
      },
    },
    handler: async (request, reply) => {
      const { params, query, body, uploadedFile: file } = request
      const user = request.caller as CallerOf<E>
      const assertReauthenticated = () => {
        if (!user) throw new Error('A call without a user has no one to confirm.')
        app.assertReauthenticated(user)
      }
      if (endpoint.reauthentication === 'always') assertReauthenticated()
      const answer = await handler({ params, query, body, file } as HandlerInput<E>, {
        user,
        request,
        reply,
        auditIn: app.auditOf(request),
        assertReauthenticated: assertReauthenticated as Context<E>['assertReauthenticated'],
        write: (hasNoUser ? undefined : app.writeOf(request)) as Context<E>['write'],
      })
      if (endpoint.contentType) {
        // The handler has set the type where the contract cannot know it.
        if (!reply.hasHeader('content-type')) reply.type(withCharset(endpoint.contentType))
        return reply.send(answer)
      }
      if (answer instanceof SerialisedJson) {
        return reply.type('application/json; charset=utf-8').send(answer.text)
      }
      if (isVersioned(answer)) reply.header('etag', `"${answer.versao}"`)
      // A handler with several possible statuses has set one on the reply.
      if (reply.statusCode === 200) reply.code(status)
      return answer ?? null
    },
  }
  const { file } = endpoint
  if (!file) {
    app.route(route)
    return
  }
  // A separate scope: no other route accepts multipart, and this one accepts nothing else.
  app.register(async (scope) => {
    await acceptMultipart(scope, file)
    scope.route(route)
  })
}

const textOfReauthentication = ({ reauthentication }: Endpoint): string => {
  if (!reauthentication) return ''
  const when = typeof reauthentication === 'object' ? `, se ${reauthentication.if}` : ''
  return `. Pede a ${reauthentication === 'password' ? 'senha' : 'confirmação'} dos últimos 10 minutos${when}`
}

const textOfKeys = (groups: readonly KeyGroup[]): string =>
  groups.length === 0
    ? ''
    : `. Chave de API com: ${groups.map((group) => keyGroupTexts[group].title).join(' ou ')}`

const bodySchemaOf = ({ body, file }: Endpoint): Pick<FastifySchema, 'body' | 'consumes'> => {
  if (!body) return {}
  return file ? { body: withFile(body, file), consumes: ['multipart/form-data'] } : { body }
}

/** Adds the charset to text types. */
const withCharset = (contentType: string): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

const isVersioned = (answer: unknown): answer is { versao: number } =>
  typeof answer === 'object' && answer !== null && 'versao' in answer && typeof answer.versao === 'number'

/** A status without a body is `z.void()` in the contract, which JSON Schema cannot express. */
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
