import type { FastifyBaseLogger } from 'fastify'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { type AlertServices, workAlerts } from './work-alerts.ts'

/** Milliseconds. */
const lookEvery = 5_000

/** Evaluates alerts, in the background. */
export const startAlerts = (
  services: AlertServices,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): { stop: () => Promise<void> } => {
  let hasLoggedFailure = false
  return startRepeating(lookEvery, async (stopped) => {
    try {
      await workAlerts(services, log, stopped)
      hasLoggedFailure = false
    } catch (err) {
      // Logged once, not every five seconds while the database is unavailable.
      if (!hasLoggedFailure) log.error({ err }, 'the work on alerts failed')
      hasLoggedFailure = true
    }
  })
}
