import type { FastifyBaseLogger } from 'fastify'
import { deleteExpiredAuditRows } from '../audit/delete-expired-audit-rows.ts'
import { findEnds } from '../audit/seal-chain.ts'
import { startSealer } from '../audit/sealer.ts'
import type { Services } from '../http/services.ts'
import { startRepeating } from '../lib/repeat.ts'

const hour = 3_600_000
const day = 24 * hour

/**
 * Starts the trail's background work: sealing new rows and deleting rows after the retention
 * period.
 */
export const startAuditUpkeep = (
  services: Services,
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
): { stop: () => Promise<void> } => {
  const { config, db, secrets, recordAudit, now } = services
  const sealer = startSealer({ db, secrets, log })
  const trim = async () => {
    try {
      await deleteExpiredAuditRows({
        db,
        secrets,
        recordAudit,
        before: new Date(now().getTime() - config.auditDays * day),
      })
      const { fim } = await findEnds(db)
      // If logs are stored elsewhere, they prove how far the chain had come.
      if (fim) log.info({ ponta: `${fim.ordem}:${fim.elo}` }, 'head of the audit chain')
    } catch (err) {
      log.error({ err }, 'dropping old audit rows failed')
    }
  }
  const trimming = startRepeating(hour, trim)
  return {
    /** Call it after the last request and before the database is closed. */
    stop: async () => {
      await trimming.stop()
      await sealer.stop()
    },
  }
}
