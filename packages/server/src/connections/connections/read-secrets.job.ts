import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent } from '../../platform/audit/write-audit.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { startWork, type Work, workOff } from '../../platform/jobs/work-queue.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import type { Connection } from '../power-bi/connection.ts'
import { registeredConnection } from '../power-bi/registered-connection.ts'
import { findCredential } from './connections.repository.ts'
import { readSecretExpiry, type SecretExpiry } from './secret-expiry.ts'
import { claimReading, queueReadings, recordReading } from './secret-readings.repository.ts'

const everyMs = 5 * 60_000

type Log = Pick<FastifyBaseLogger, 'error'>

/**
 * Reads in Microsoft Graph when the secrets of connections expire: each once a day, by one process,
 * and soon after an edit.
 */
const reading = (services: Services): Work<{ idPowerBi: number }> => ({
  name: 'reading of when secrets expire',
  everyMs,
  isDoneAtStart: true,
  places: 1,
  before: () => queueReadings(services.db),
  claim: () => claimReading(services.db),
  attempt: ({ idPowerBi }, stopped) => readSecret(services, idPowerBi, stopped),
})

/** Some clouds have no Microsoft Graph. */
const hasGraph = ({ config }: Services): boolean => Boolean(config.bi.addresses.microsoft.graph)

/** Reads the expiry of each secret that is due. */
export const readDueSecrets = async (services: Services, log: Log): Promise<void> => {
  if (hasGraph(services)) await workOff(reading(services), log)
}

export const startSecretReading = (services: Services, log: Log) =>
  hasGraph(services) ? startWork(reading(services), log) : undefined

const readSecret = async (services: Services, id: number, stopped: AbortSignal): Promise<void> => {
  const { config, db, now, writeAudit } = services
  const { addresses, timeoutMs } = config.bi
  const row = await findCredential(db, id)
  if (!row) return
  const connection = registeredConnection(row, services)
  const expiry = await readSecretExpiry(connection, { addresses, timeoutMs, deadline: stopped, now })
  if (stopped.aborted) return
  await inTransaction(db, (tx) =>
    storeReading(tx, { connection, expiry }, (event) => writeAudit(tx, { ...event, idUsuario: null })),
  )
}

interface Stored {
  connection: Pick<Connection, 'id' | 'version'>
  expiry: SecretExpiry
}

/** Stores a reading, and audits a date that it changes. */
export const storeReading = async (
  tx: Db,
  { connection: { id, version }, expiry }: Stored,
  audit: (event: Pick<AuditEvent, 'action' | 'subject' | 'details'>) => Promise<void>,
): Promise<void> => {
  const change = await recordReading(tx, { id, version }, expiry)
  if (!change) return
  const details = {
    antes: { segredoExpiraEm: change.before && dayOf(change.before) },
    depois: { segredoExpiraEm: change.after && dayOf(change.after) },
  }
  await audit({ action: 'connection.expiry-read', subject: `powerbi:${id}`, details })
}
