import type { FastifyRequest } from 'fastify'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import type { Problem } from '../../lib/problem.ts'
import type { Services } from '../services.ts'

const minute = 60_000

/**
 * Creates the function that audits refusals (403) of signed-in users: once a minute per session and
 * route, so that a flood of refusals does not flood the trail. Records the route's pattern, never
 * the address with its query.
 */
export const createRefusalWriter = ({ db, now, writeAudit }: Pick<Services, 'db' | 'now' | 'writeAudit'>) => {
  const recorded = createBoundedCache<number>(10_000)
  return async (request: FastifyRequest, { status, codigo }: Problem): Promise<void> => {
    const { caller, method } = request
    const { url: rota } = request.routeOptions
    if (status !== 403 || !caller || !rota) return
    const subject = `${method} ${rota}`
    const key = `${caller.idSessao} ${subject}`
    const time = now().getTime()
    // Also after the clock was set back.
    if (Math.abs(time - (recorded.get(key) ?? 0)) < minute) return
    recorded.set(key, time)
    try {
      await writeAudit(db, {
        action: 'access.refused',
        idUsuario: caller.idUsuario,
        subject,
        details: { codigo },
        request,
      })
    } catch (err) {
      recorded.delete(key)
      // The request stays refused even if the audit fails.
      request.log.error({ err }, 'failed to audit a refusal')
    }
  }
}
