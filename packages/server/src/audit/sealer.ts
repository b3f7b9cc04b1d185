import type { FastifyBaseLogger } from 'fastify'
import type { Secrets } from '../config/secrets.ts'
import type { Db } from '../db/open-database.ts'
import { createBoundedCache } from '../lib/bounded-cache.ts'
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
  const told = createBoundedCache<true>(10_000)
  const tell = (key: string, fields: object, message: string) => {
    if (told.get(key)) return
    told.set(key, true)
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

  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  const next = () => {
    looking = look().then(() => {
      if (!isStopped) timer = setTimeout(next, everyMs)
    })
  }
  next()
  return {
    /** Seals the remaining rows. No row may be written afterwards. */
    stop: async (): Promise<void> => {
      isStopped = true
      clearTimeout(timer)
      await looking
      await look()
    },
  }
}
