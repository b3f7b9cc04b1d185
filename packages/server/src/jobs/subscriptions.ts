import type { FastifyBaseLogger } from 'fastify'
import { type SubscriptionServices, workSubscriptions } from '../features/subscriptions/work-subscriptions.ts'
import { startRepeating } from '../lib/repeat.ts'

/** Milliseconds. A file that is being made is looked at this often. */
const lookEvery = 2_000

/** Sends subscriptions, in the background. */
export const startSubscriptions = (
  services: SubscriptionServices,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): { stop: () => Promise<void> } => {
  let isBlind = false
  return startRepeating(lookEvery, async (stopped) => {
    try {
      await workSubscriptions(services, log, stopped)
      isBlind = false
    } catch (err) {
      // Logged once, not every two seconds while the database is unavailable.
      if (!isBlind) log.error({ err }, 'the work on subscriptions failed')
      isBlind = true
    }
  })
}
