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
  const tell = (key: string, fields: object, message: string) => {
    if (logged.get(key)) return
    logged.set(key, true)
    log.error(fields, message)
  }
  const look = async (): Promise<void> => {
    try {
      const { refused } = await sealQueue(db, secrets)
      for (const row of refused) {
        tell(`${row.idAuditoria} ${row.reason}`, row, 'audit row not sealed: run `npm run audit:verify`')
      }
    } catch (err) {
      tell(String(err), { err }, 'sealing the audit trail failed')
    }
  }

  const looking = startRepeating(everyMs, look, look)
  return {
    /** Seals the remaining rows. No row may be written afterwards. */
    stop: async (): Promise<void> => {
      await looking.stop()
      await look()
    },
  }
}
