import type { FastifyBaseLogger } from 'fastify'
import { enterPendingLines } from '../../platform/audit/pending-lines.ts'
import { isUnwritable } from '../../platform/db/drivers/unwritable.ts'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { deleteExpiredAuditRows } from './delete-expired-audit-rows.ts'
import { findEnds } from './seal-chain.ts'
import { startSealer } from './sealer.ts'

const second = 1_000
const hour = 3_600_000
const day = 24 * hour

/**
 * Starts the trail's background work: sealing new rows, entering those that wait in files, and
 * deleting rows after the retention period.
 */
export const startAuditUpkeep = (
  services: Services,
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
): { stop: () => Promise<void> } => {
  const { config, db, secrets, writeAudit, now } = services
  const sealer = startSealer({ db, secrets, log })
  const unreadable = createBoundedCache<true>(1_000)
  const enter = async () => {
    try {
      const entered = await enterPendingLines(services, (file, err) => {
        if (!unreadable.get(file)) log.error({ err, file }, 'audit lines of a file cannot be read')
        unreadable.set(file, true)
      })
      if (entered > 0) log.info({ entered }, 'audit lines entered from files')
    } catch (err) {
      // They wait for exactly this.
      if (!isUnwritable(err)) throw err
    }
  }
  const trim = async () => {
    const before = new Date(now().getTime() - config.auditDays * day)
    await deleteExpiredAuditRows({ db, secrets, writeAudit, before })
    const { fim } = await findEnds(db)
    // If logs are stored elsewhere, they prove how far the chain had come.
    if (fim) log.info({ ponta: `${fim.ordem}:${fim.elo}` }, 'head of the audit chain')
  }
  const entering = startRepeating(
    { name: 'entering of audit lines from files', everyMs: 2 * second, log, first: enter },
    enter,
  )
  const trimming = startRepeating({ name: 'deletion of old audit rows', everyMs: hour, log }, trim)
  return {
    /** Call it after the last request and before the database is closed. */
    stop: async () => {
      await entering.stop()
      await trimming.stop()
      await sealer.stop()
    },
  }
}
