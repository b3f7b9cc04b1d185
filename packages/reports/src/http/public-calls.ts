import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PowerBiError } from './power-bi-error.ts'

/**
 * Counts an unauthenticated call by address.
 * @throws PowerBiError 429 when there were too many in a minute
 */
export type CountPublicCall = (request: FastifyRequest) => Promise<void>

export const createPublicCallCount = async (
  app: FastifyInstance,
  callsPerMinute: number,
): Promise<CountPublicCall> => {
  await app.register(rateLimit, { global: false })
  const count = app.createRateLimit({ max: callsPerMinute, timeWindow: 60_000 })
  return async (request) => {
    const counted = await count(request)
    if (!counted.isAllowed && counted.isExceeded)
      throw new PowerBiError(
        429,
        'TooManyRequests',
        'Too many calls from this address. Try again in a minute',
      )
  }
}
