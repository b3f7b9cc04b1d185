import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../http/services.ts'
import { readInstallation } from '../installation/test-environment.ts'
import { verifyConnection } from './mail-delivery.ts'
import { failureOf } from './mail-failure.ts'
import { recordConnection, recordFailure } from './mail-outcomes.ts'

const everyMs = 60_000

/**
 * Returns a function that finds out, at most once a minute, whether the mail server answers. Calls
 * without a session run it whether or not they send a message: otherwise an outage would show who
 * has an account.
 */
export const createMailProbe = ({ config, db, now }: Pick<Services, 'config' | 'db' | 'now'>) => {
  let probedAt = Number.NEGATIVE_INFINITY
  const probe = async (): Promise<void> => {
    const time = performance.now()
    if (!config.mail.smtpUrl || time - probedAt < everyMs) return
    probedAt = time
    if ((await readInstallation(db)).ensaio) return
    try {
      await verifyConnection(config)
    } catch (error) {
      return recordFailure(db, { para: '', failure: failureOf(error), now: now() })
    }
    await recordConnection(db)
  }
  /** Returns at once: the answer to the call must not wait. */
  return (log: Pick<FastifyBaseLogger, 'error'>): void =>
    void probe().catch((err: unknown) => log.error({ err }, 'the mail server could not be probed'))
}
