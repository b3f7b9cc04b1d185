import type { FastifyBaseLogger } from 'fastify'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { sealQueue } from './seal-chain.ts'

interface Options {
  db: Db
  secrets: Secrets
  log: Pick<FastifyBaseLogger, 'error'>
  /** Milliseconds between two checks of the queue. A check without rows is one cheap statement. */
  everyMs?: number
}

/** Starts sealing audit rows in the background, so that requests do not wait for it. */
export const startSealer = ({ db, secrets, log, everyMs = 500 }: Options) => {
  const logged = createBoundedCache<true>(10_000)
  const look = async (): Promise<void> => {
    const { refused } = await sealQueue(db, secrets)
    for (const row of refused) {
      const key = `${row.idAuditoria} ${row.reason}`
      if (!logged.get(key)) log.error(row, 'audit row not sealed: run `npm run audit:verify`')
      logged.set(key, true)
    }
  }

  const looking = startRepeating({ name: 'sealing of the audit trail', everyMs, log, first: look }, look)
  return {
    /** Seals the remaining rows. No row may be written afterwards. */
    stop: async (): Promise<void> => {
      await looking.stop()
      await look().catch((err: unknown) => log.error({ err }, 'the last sealing of the audit trail failed'))
    },
  }
}
