import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { fillNameSearch } from './beneficiary-marks.ts'

const everyMs = 10 * 60_000

/** Makes names searchable that the previous version wrote, also during the upgrade (ADR 0102). */
export const startNameSearch = (
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): { stop: () => Promise<void> } => {
  const work = (stopped: AbortSignal) => fillNameSearch(db, secrets, stopped)
  return startRepeating({ name: 'filling of the search for beneficiaries', everyMs, log, first: work }, work)
}
