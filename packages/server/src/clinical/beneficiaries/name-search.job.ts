import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { fillNameSearch } from './beneficiary-marks.ts'

const everyMs = 10 * 60_000

/** Makes names searchable that the previous version wrote, also during the upgrade (record 0102). */
export const startNameSearch = (
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): { stop: () => Promise<void> } => {
  const work = (stopped: AbortSignal) =>
    fillNameSearch(db, secrets, stopped).catch((err: unknown) =>
      log.error({ err }, 'making the names of beneficiaries searchable failed'),
    )
  return startRepeating(everyMs, work, work)
}
