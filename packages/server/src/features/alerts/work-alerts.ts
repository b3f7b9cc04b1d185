import type { AlertServices, Log } from './alert-services.ts'
import { claimAlerts, dueAfterRefresh } from './claim-alerts.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { sendWebhooks } from './send-webhooks.ts'

export type { AlertServices }

/**
 * Does what is due for alerts: evaluates them, and calls the webhooks of those that crossed. Each
 * step may be repeated, so that a process may die at any time; several processes share the work.
 */
export const workAlerts = async (services: AlertServices, log: Log, stopped?: AbortSignal): Promise<void> => {
  const { db, now } = services
  const mayGoOn = () => !stopped?.aborted
  while (mayGoOn() && (await dueAfterRefresh(db, now()))) {}
  while (mayGoOn()) {
    const claimed = await claimAlerts(db, now())
    if (claimed.ids.length === 0) break
    await evaluateAlerts(services, claimed, log, stopped)
  }
  while (mayGoOn() && (await sendWebhooks(services, log))) {}
}
