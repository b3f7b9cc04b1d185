import type { FastifyBaseLogger } from 'fastify'
import { startWork, type Work, workOff } from '../../platform/jobs/work-queue.ts'
import { type ClaimedAlert, claimAlerts, planRefreshedAlerts } from './alert-queue.ts'
import type { AlertServices, Log } from './alert-services.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { type ClaimedCall, callWebhook, claimWebhooks } from './send-webhooks.ts'

/** Milliseconds. */
const lookEvery = 5_000
const callEvery = 2_000

/** Calls of webhooks that one process makes at once. */
const CALLS_AT_ONCE = 5

/** The evaluation of alerts. An item is what is claimed together: alerts of one report share questions. */
export const evaluation = (services: AlertServices, log: Log): Work<readonly ClaimedAlert[]> => ({
  name: 'evaluation of alerts',
  everyMs: lookEvery,
  places: 1,
  before: async (stopped) => {
    while (!stopped.aborted && (await planRefreshedAlerts(services.db))) {}
  },
  claim: async () => {
    const alerts = await claimAlerts(services.db)
    return alerts.length > 0 ? [alerts] : []
  },
  attempt: (alerts, stopped) => evaluateAlerts(services, alerts, log, stopped),
})

/** Calls of webhooks are work of their own: slow receivers hold up no evaluation. */
const webhooks = (services: AlertServices, log: Log): Work<ClaimedCall> => ({
  name: 'calls of webhooks',
  everyMs: callEvery,
  places: CALLS_AT_ONCE,
  claim: (limit) => claimWebhooks(services.db, limit),
  attempt: (call) => callWebhook(services, call, log),
})

/** Does what is due for alerts once. */
export const workAlerts = async (services: AlertServices, log: Log, stopped?: AbortSignal): Promise<void> => {
  await workOff(evaluation(services, log), log, stopped)
  await workOff(webhooks(services, log), log, stopped)
}

/** Evaluates alerts and calls webhooks, in the background. */
export const startAlerts = (services: AlertServices, log: Pick<FastifyBaseLogger, 'error' | 'warn'>) => {
  const started = [startWork(evaluation(services, log), log), startWork(webhooks(services, log), log)]
  return { stop: async () => void (await Promise.all(started.map(({ stop }) => stop()))) }
}
