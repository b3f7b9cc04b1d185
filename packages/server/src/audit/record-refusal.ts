import type { FastifyRequest } from 'fastify'
import { createBoundedCache } from '../bounded-cache.ts'
import type { Services } from '../http/services.ts'
import type { Problem } from '../problem.ts'

const minute = 60_000

/**
 * Puts on record that somebody who is signed in was refused (403): once a minute a session and route, so that a flood of
 * refusals is no flood of records. The route's pattern, never the address with its query.
 */
export const createRefusalRecord = ({
  db,
  now,
  recordAudit,
}: Pick<Services, 'db' | 'now' | 'recordAudit'>) => {
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
      await recordAudit(db, {
        action: 'access.refused',
        idUsuario: caller.idUsuario,
        subject,
        details: { codigo },
        request,
      })
    } catch (err) {
      recorded.delete(key)
      // The refusal stands, recorded or not.
      request.log.error({ err }, 'a refusal could not be recorded')
    }
  }
}
