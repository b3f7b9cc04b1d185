import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { sumOlderViews } from './sum-older-views.ts'

const minute = 60_000

/** Sums the views from before the upgrade, in the background; another process may take over. */
export const startUsageBacklog = (
  { db }: Pick<Services, 'db'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): { stop: () => Promise<void> } => {
  const work = (stopped: AbortSignal) => sumOlderViews(db, stopped)
  const name = 'sum of the views from before the upgrade'
  return startRepeating({ name, everyMs: minute, log, first: work }, work)
}
