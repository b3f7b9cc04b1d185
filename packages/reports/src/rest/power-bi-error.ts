import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** An error as Power BI words it: `{error: {code, message}}`. */
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

/** What the caller got wrong keeps its status; everything else is logged and told as a plain 500. */
export function answerError(
  error: FastifyError | PowerBiError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error instanceof PowerBiError) return send(reply, error)
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500)
    return send(reply, new PowerBiError(status, 'InvalidRequest', error.message))
  request.log.error({ err: error }, 'unexpected error')
  return send(reply, new PowerBiError(500, 'InternalServerError', 'The service met an unexpected error'))
}

function send(reply: FastifyReply, error: PowerBiError) {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.status === 503) reply.header('retry-after', '2')
  return reply.code(error.status).send({ error: { code: error.code, message: error.message } })
}
