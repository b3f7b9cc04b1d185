import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import fp from 'fastify-plugin'
import { type CallContext, callContext } from './call-context.ts'
import { type AnsweredRequest, answeredRequests, type BegunRequest, requestBegins } from './events.ts'
import { requestIdOf, type Trace, traceOf } from './request-ids.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the answered problem, for the request's log line. */
    problemCode: string | undefined
    callContext: CallContext | undefined
  }
  interface FastifyContextConfig {
    /** Names several routes as one in logs, metrics and traces. */
    group?: string
  }
}

/** Connections with a request in progress. */
const answering = new WeakSet<Socket>()

const traces = new WeakMap<IncomingMessage, Trace>()

const traceOfRequest = (raw: IncomingMessage): Trace => {
  const known = traces.get(raw)
  if (known) return known
  const trace = traceOf(raw)
  traces.set(raw, trace)
  return trace
}

type IdOptions = Pick<
  FastifyServerOptions,
  'requestIdHeader' | 'genReqId' | 'childLoggerFactory' | 'logController'
>

/** Returns options of Fastify, so that every log line of a request has both ids. */
export const requestIds = (): IdOptions => ({
  // Fastify itself would accept the header unchecked.
  requestIdHeader: false,
  genReqId: (raw) => requestIdOf(raw as IncomingMessage),
  childLoggerFactory: (logger, bindings, options, raw) =>
    logger.child({ ...bindings, traceId: traceOfRequest(raw as IncomingMessage).traceId }, options),
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
})

interface RequestLogOptions {
  /** Returns the path for the log, without sensitive parts. Default: as sent, without the query. */
  pathOf?: (request: FastifyRequest) => string
}

export const pathWithoutQuery = ({ url }: { url: string }): string => url.split('?', 1)[0] ?? ''

/**
 * Logs one line per request when its answer has been sent or its client has disconnected, answers
 * `x-request-id`, and makes both ids available to the code of the request (call-context.ts).
 */
export const requestLog = fp(
  async (app: FastifyInstance, { pathOf = pathWithoutQuery }: RequestLogOptions) => {
    app.decorateRequest('problemCode', undefined)
    app.decorateRequest('callContext', undefined)
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id)
      const begun: BegunRequest = {
        method: request.method,
        route: routeOf(request),
        trace: traceOfRequest(request.raw),
      }
      requestBegins.publish(begun)
      request.callContext = { requestId: request.id, trace: begun.trace }
      const { socket } = request.raw
      answering.add(socket)
      onceOver(reply, (isAborted) => {
        answering.delete(socket)
        const answer = answerOf(request, reply, isAborted)
        answeredRequests.publish(answer)
        begun.end?.(answer)
        writeLine(request, answer, { path: pathOf(request), isAborted })
      })
      callContext.run(request.callContext, done)
    })
    // The body parser continues in the context of the socket.
    app.addHook('preValidation', (request, _reply, done) => {
      if (request.callContext) callContext.run(request.callContext, done)
      else done()
    })
  },
)

/** The route's pattern, or the group of the route (static files are one group). */
const routeOf = ({ routeOptions: { config, url } }: FastifyRequest): string | null =>
  config.group ?? url ?? null

/**
 * Fastify's `onResponse` misses requests whose client disconnects before the answer is complete.
 */
const onceOver = ({ raw }: FastifyReply, tell: (isAborted: boolean) => void): void => {
  let isOver = false
  const end = (isAborted: boolean) => {
    if (!isOver) tell(isAborted)
    isOver = true
  }
  raw.once('finish', () => end(false))
  raw.once('close', () => end(true))
}

/** nginx's status for a connection that the client closed before any answer. */
const clientClosed = 499

const answerOf = (request: FastifyRequest, reply: FastifyReply, isAborted: boolean): AnsweredRequest => ({
  method: request.method,
  route: routeOf(request),
  status: isAborted && !reply.raw.headersSent ? clientClosed : reply.statusCode,
  seconds: reply.elapsedTime / 1000,
  code: request.problemCode,
})

const writeLine = (
  request: FastifyRequest,
  { method, route, status, seconds, code }: AnsweredRequest,
  { path, isAborted }: { path: string; isAborted: boolean },
): void =>
  request.log.info(
    {
      method,
      route,
      path,
      status,
      ms: Math.round(seconds * 10_000) / 10,
      address: request.ip,
      ...(code ? { code } : {}),
      ...(isAborted ? { aborted: true } : {}),
    },
    'request',
  )

/** Logs bytes that Node cannot parse as a request; Fastify never sees them. */
export const logBrokenRequest = (
  log: FastifyBaseLogger,
  { code }: NodeJS.ErrnoException,
  socket: Socket,
): void => {
  // The client closed an idle connection, or one whose request has its own line.
  if (code === 'ECONNRESET' || answering.has(socket)) return
  log.info({ requestId: randomUUID(), method: null, route: null, path: null, status: 400, code }, 'request')
}

/** Logs an address that Fastify cannot decode; no hook runs for it. */
export const logUnreadableAddress = (request: FastifyRequest): void =>
  request.log.info(
    { method: request.method, route: null, path: null, status: 400, ms: 0, address: request.ip },
    'request',
  )
