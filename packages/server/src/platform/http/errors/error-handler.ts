import type { Socket } from 'node:net'
import { type ProblemBody, type ProblemCode, problems } from '@bi-manager/contract'
import { logUnreadableAddress } from '@bi-manager/telemetry/request-log'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isConnectionLost } from '../../db/drivers/lost-connection.ts'
import { isReadOnly, LOCK_WAIT } from '../../db/drivers/unwritable.ts'
import { UncertainCommit } from '../../db/transactions/in-transaction.ts'
import { BUSY } from '../../db/transactions/transaction-share.ts'
import { Problem } from '../../lib/problem.ts'
import { problemOfConstraint } from './constraint-problem.ts'

interface ErrorOptions {
  /** Called with every problem before it is answered. */
  onProblem?: (request: FastifyRequest, problem: Problem) => Promise<void>
}

/** Answers errors as RFC 9457 `application/problem+json`; logs unknown ones, as a bare 500. */
export const errorHandler = fp(async (app: FastifyInstance, { onProblem }: ErrorOptions) => {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const problem = error instanceof Problem ? error : problemOf(error, request.method)
    if (isAborted(request, problem)) {
      // Not a failure of the portal. The request's log line records the abort.
      return sendProblem(request, reply, problem)
    }
    if (error instanceof Problem && problem.status >= 500 && !problem.cause) {
      // The message is the whole cause: a wrong setting, or an unavailable service.
      request.log.warn({ codigo: problem.codigo, detail: problem.message }, 'request failed')
    } else if (problem.status >= 500) {
      request.log.error({ err: error, codigo: problem.codigo }, 'request failed')
    } else if (problem.cause) {
      // A value that the database cannot hold should have been refused by the contract.
      const level = /^22/.test((problem.cause as { code?: string }).code ?? '') ? 'warn' : 'debug'
      request.log[level]({ err: problem.cause, codigo: problem.codigo }, 'request refused')
    }
    await onProblem?.(request, problem)
    return sendProblem(request, reply, problem)
  })
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, new Problem('nao_encontrado')))
})

/** Whether the client closed the connection while it sent its body. */
const isAborted = ({ raw }: FastifyRequest, { cause }: Problem): boolean =>
  raw.destroyed && !raw.complete && isAbort((cause as { code?: string } | undefined)?.code)

/** Error codes of Node and of the multipart parser. */
const isAbort = (code: string | undefined) => code === 'ECONNRESET' || code === 'FST_MP_PREMATURE_CLOSE'

/** Answers an address that cannot be decoded (`/api/%zz`); Fastify runs no hook for it. */
export const sendFrameworkError = (
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  logUnreadableAddress(request)
  const headers = { ...bareHeaders, 'x-request-id': request.id }
  void sendProblem(request, reply.headers(headers), new Problem('requisicao_invalida'))
}

/** The headers of `securityHeaders`, for answers without hooks. */
const bareHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** Answers bytes that are not HTTP, or headers beyond the limit: there is only a socket. */
export const refuseBrokenRequest = (_error: Error, socket: Socket): void => {
  if (!socket.writable) return
  // An answer is being sent: other bytes would damage it, and its client may never read them.
  if (socket.writableLength > 0) return void socket.destroy()
  const body = JSON.stringify(bodyOf(new Problem('requisicao_invalida'), crypto.randomUUID()))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(bareHeaders).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Answers a problem from outside a route's handler (plugin hooks, the not-found handler). */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => {
  const { status, retryAfter } = problem
  request.problemCode = problem.codigo
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  // Serialised here: the route's own serialiser only knows its success bodies.
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(bodyOf(problem, request.id))
}

const bodyOf = ({ codigo, status, title, message, campos }: Problem, idRequisicao: string): ProblemBody => ({
  type: `urn:bi-manager:problema:${codigo}`,
  title,
  status,
  detail: message,
  codigo,
  ...(campos ? { campos } : {}),
  idRequisicao,
})

const byFastifyCode: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'corpo_grande_demais',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'formato_nao_suportado',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'requisicao_invalida',
  FST_ERR_CTP_INVALID_JSON_BODY: 'requisicao_invalida',
}

const byStatus: Record<number, ProblemCode> = {
  400: 'requisicao_invalida',
  403: 'nao_encontrado',
  404: 'nao_encontrado',
  408: 'tempo_esgotado',
  412: 'requisicao_invalida',
  413: 'corpo_grande_demais',
  415: 'formato_nao_suportado',
  416: 'requisicao_invalida',
  429: 'muitas_tentativas',
}

const problemOf = (error: FastifyError, method: string): Problem => {
  const constraint = problemOfConstraint(error, method)
  if (constraint) return constraint
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map(({ instancePath, message }): [string, string] => [
      instancePath.split('/').slice(1).join('.') || 'corpo',
      message ?? problems.campos_invalidos.detail,
    ])
    return new Problem('campos_invalidos', { campos: Object.fromEntries(fields) })
  }
  const code = byFastifyCode[error.code] ?? databaseProblem(error) ?? byStatus[error.statusCode ?? 500]
  return new Problem(code ?? 'erro_interno', {
    cause: error,
    // What a GET writes is a line that it was made: it may be repeated.
    ...(error instanceof UncertainCommit && method !== 'GET' ? { detail: perhapsDone } : {}),
    ...(error.code === LOCK_WAIT ? { detail: BUSY } : {}),
    ...(isReadOnly(error) ? { detail: READ_ONLY_SENTENCE } : {}),
    ...(code === 'servico_indisponivel' ? { retryAfter: retryDatabaseAfter } : {}),
  })
}

/**
 * Class 53: insufficient resources. 57014: query cancelled. 25006: read-only transaction, as on a
 * standby. 40P01 and 40001: deadlock or serialisation failure at every attempt.
 */
const databaseProblem = (error: FastifyError): ProblemCode | undefined => {
  const { code = '' } = error
  // Class 22, data exception: the contract should have refused the value.
  if (/^22/.test(code)) return 'requisicao_invalida'
  if (code === DISK_FULL) return 'sem_espaco'
  return isConnectionLost(error) || /^(53|57014|25006|40P01|40001|55P03)/.test(code)
    ? 'servico_indisponivel'
    : undefined
}

const perhapsDone =
  'A conexão com o banco de dados se perdeu no fim desta operação, que pode ter sido feita. Confira antes de repeti-la.'

const READ_ONLY_SENTENCE =
  'O banco de dados só aceita leitura agora, e nada pode ser gravado. Consultas continuam funcionando. Avise quem cuida do servidor.'

/** PostgreSQL's `disk_full`. */
const DISK_FULL = '53100'

/** Seconds of `Retry-After` while the database is unavailable. */
const retryDatabaseAfter = 2
