import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseError, kindOfError, QueryTimeout } from '../../engine/data/database/database.ts'
import { QueryRefused } from '../../engine/data/database/database-process.ts'
import { FilterError } from '../../engine/queries/filters.ts'
import { CallerLeft, ServiceBusy } from '../../engine/queries/query-scheduler.ts'
import { IdentityError } from '../../engine/queries/row-security.ts'
import { notAuthorized, PowerBiError } from '../../http/power-bi-error.ts'
import { REFUSED, TOO_LONG } from './page-answer.ts'

/** Returns a disconnection signal; Fastify's `request.signal` may miss it after the body. */
export const disconnectSignal = (reply: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (reply.raw.destroyed) gone.abort()
  return gone.signal
}

/** Converts the engine's errors to Power BI errors; any other error is unexpected. */
export const asPowerBi = async <T>(
  { log }: Pick<FastifyRequest, 'log'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FilterError) throw new PowerBiError(400, 'InvalidFilter', error.message)
    if (error instanceof IdentityError) throw notAuthorized()
    if (error instanceof QueryRefused) throw new PowerBiError(500, 'QueryFailed', REFUSED)
    if (error instanceof QueryTimeout) throw new PowerBiError(504, 'QueryTimeout', TOO_LONG)
    if (error instanceof ServiceBusy)
      throw new PowerBiError(
        503,
        'ServiceBusy',
        'Há consultas demais em andamento. Tente de novo em instantes.',
      )
    if (error instanceof CallerLeft) throw new PowerBiError(499, 'ClientClosedRequest', 'The client has gone')
    if (isDatabaseError(error)) {
      log.warn({ reason: kindOfError(error) }, 'a query failed')
      throw new PowerBiError(500, 'QueryFailed', 'A consulta falhou.')
    }
    throw error
  }
}
