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
  const { db } = services
  const mayGoOn = () => !stopped?.aborted
  while (mayGoOn() && (await dueAfterRefresh(db))) {}
  let isMore = true
  // In turns, so that neither slow reports nor slow receivers hold up the other work.
  while (mayGoOn() && isMore) {
    const claimed = await claimAlerts(db)
    if (claimed.ids.length > 0) await evaluateAlerts(services, claimed, log, stopped)
    const isMoreToSend = mayGoOn() && (await sendWebhooks(services, log))
    isMore = claimed.ids.length > 0 || isMoreToSend
  }
}
