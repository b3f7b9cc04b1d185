import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** An error in Power BI's format: `{error: {code, message}}`. */
export class PowerBiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const notFound = (what: string) =>
  new PowerBiError(404, 'PowerBIEntityNotFound', `${what} was not found`)
export const invalidRequest = (message: string) => new PowerBiError(400, 'InvalidRequest', message)
export const notAuthorized = (status: 401 | 403 = 403) =>
  new PowerBiError(
    status,
    'PowerBINotAuthorizedException',
    'The token is missing or does not allow this call',
  )
export const tokenExpired = () =>
  new PowerBiError(403, 'TokenExpired', 'Access token has expired, resubmit with a new access token')

/** Answers an error: a client error keeps its status; others are logged and answered 500. */
export const answerError = (
  error: FastifyError | PowerBiError,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  if (error instanceof PowerBiError) return send(reply, error)
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500)
    return send(reply, new PowerBiError(status, 'InvalidRequest', error.message))
  request.log.error({ err: error }, 'unexpected error')
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return send(reply, new PowerBiError(507, 'InsufficientStorage', 'The disk of the service is full'))
  }
  return send(reply, new PowerBiError(500, 'InternalServerError', 'The service met an unexpected error'))
}

/** Answers a request that Node could not parse or that arrived too slowly, on its socket. */
export const answerClientError = (
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
) => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // An answer is being sent: other bytes would damage it, and its client may never read them.
  if (socket.writableLength > 0) return void socket.destroy()
  if (socket.writable) {
    const [status, message] = CLIENT_ERRORS[error.code ?? ''] ?? [
      '400 Bad Request',
      'The request could not be read',
    ]
    const body = JSON.stringify({ error: { code: 'InvalidRequest', message } })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(
      `HTTP/1.1 ${status}\r\n${lines.join('')}Content-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroySoon()
}

const CLIENT_ERRORS: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too long'],
}

const send = (reply: FastifyReply, error: PowerBiError) => {
  reply.request.problemCode = error.code
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.status === 503) reply.header('retry-after', '2')
  if (error.status === 429) reply.header('retry-after', '30')
  return reply.code(error.status).send({ error: { code: error.code, message: error.message } })
}
