import type { FastifyBaseLogger } from 'fastify'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import type { AlertServices, Log } from './alert-services.ts'
import { claimAlerts, planRefreshedAlerts } from './claim-alerts.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { sendWebhooks } from './send-webhooks.ts'

/**
 * Does what is due for alerts: evaluates them, and calls the webhooks of those that crossed. Each
 * step may be repeated, so that a process may die at any time; several processes share the work.
 */
export const workAlerts = async (services: AlertServices, log: Log, stopped?: AbortSignal): Promise<void> => {
  const { db } = services
  const mayGoOn = () => !stopped?.aborted
  while (mayGoOn() && (await planRefreshedAlerts(db))) {}
  let isMore = true
  // In turns, so that neither slow reports nor slow receivers hold up the other work.
  while (mayGoOn() && isMore) {
    const claimed = await claimAlerts(db)
    if (claimed.ids.length > 0) await evaluateAlerts(services, claimed, log, stopped)
    const isMoreToSend = mayGoOn() && (await sendWebhooks(services, log))
    isMore = claimed.ids.length > 0 || isMoreToSend
  }
}

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
