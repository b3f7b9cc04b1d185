import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent } from '../../platform/audit/write-audit.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import type { Connection } from '../power-bi/connection.ts'
import { registeredConnection } from '../power-bi/registered-connection.ts'
import { findCredential } from './connections.repository.ts'
import { readSecretExpiry, type SecretExpiry } from './secret-expiry.ts'
import { claimReadings, recordReading } from './secret-readings.repository.ts'

const everyMs = 5 * 60_000

/**
 * Reads in Microsoft Graph when the secrets of connections expire: each once a day, by one process,
 * and soon after an edit.
 */
export const startSecretReading = (services: Services, log: Pick<FastifyBaseLogger, 'error'>) => {
  const read = (stopped: AbortSignal) =>
    readDueSecrets(services, stopped).catch((err: unknown) =>
      log.error({ err }, 'reading when secrets expire failed'),
    )
  return startRepeating(everyMs, read, read)
}

/** Reads the expiry of each secret that is due. */
export const readDueSecrets = async (services: Services, stopped?: AbortSignal): Promise<void> => {
  const { config, db, now, writeAudit } = services
  const { addresses, timeoutMs } = config.bi
  if (!addresses.microsoft.graph) return
  for (const id of await claimReadings(db)) {
    if (stopped?.aborted) return
    const row = await findCredential(db, id)
    if (!row) continue
    const connection = registeredConnection(row, services)
    const limits = { addresses, timeoutMs, ...(stopped ? { deadline: stopped } : {}) }
    const expiry = await readSecretExpiry(connection, { ...limits, now })
    if (stopped?.aborted) return
    await inTransaction(db, (tx) =>
      storeReading(tx, { connection, expiry }, (event) => writeAudit(tx, { ...event, idUsuario: null })),
    )
  }
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
