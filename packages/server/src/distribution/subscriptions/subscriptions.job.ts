import type { FastifyBaseLogger } from 'fastify'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import {
  makeFilesAndCloseRuns,
  prepareDueRuns,
  type SubscriptionServices,
} from './runs/work-subscriptions.ts'

/** Milliseconds. A file that is being made is looked at this often. */
const lookEvery = 2_000

/** Sends subscriptions in the background. A file that takes long delays no start of another run. */
export const startSubscriptions = (
  services: SubscriptionServices,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): { stop: () => Promise<void> } => {
  const repeat = (work: typeof prepareDueRuns) => {
    let hasLoggedFailure = false
    return startRepeating(lookEvery, async (stopped) => {
      try {
        await work(services, log, stopped)
        hasLoggedFailure = false
      } catch (err) {
        // Logged once, not every two seconds while the database is unavailable.
        if (!hasLoggedFailure) log.error({ err }, 'the work on subscriptions failed')
        hasLoggedFailure = true
      }
    })
  }
  const repeated = [repeat(prepareDueRuns), repeat(makeFilesAndCloseRuns)]
  return {
    stop: async () => {
      await Promise.all(repeated.map(({ stop }) => stop()))
    },
  }
}
