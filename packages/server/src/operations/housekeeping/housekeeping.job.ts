import { EVALUATIONS_KEPT_DAYS } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import { notifyExpiringKeys, windowSeconds } from '../../accounts/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { vacuum } from '../../platform/db/vacuum.ts'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { runExclusively } from '../../platform/jobs/run-exclusively.ts'
import { dropMailFailures } from '../../platform/mail/mail-outcomes.ts'
import { dropNotifications } from '../../platform/notifications/drop-notifications.ts'
import { deleteExpiredUsage } from '../../reports/index.ts'
import { dropOldRuns } from '../backup/backup-runs.ts'

const hour = 3_600_000
const day = 24 * hour
const sessionsKept = 30 * day
const devicesKept = 365 * day
const requestsKept = 365 * day
// Longer than the provider keeps the exported files.
const exportsKept = 2 * day
const keysKept = 90 * day
const runsKept = 90 * day
const guestsKept = 90 * day

/** Deletes expired rows every hour, in one process at a time. */
export const startHousekeeping = (
  { config, db, now }: Pick<Services, 'config' | 'db' | 'now'>,
  log: Pick<FastifyBaseLogger, 'error'>,
) =>
  startRepeating(hour, () =>
    runExclusively(db, 'housekeeping', async (tx) => {
      await deleteExpiredRows(tx, now())
      await deleteExpiredUsage(tx, now(), config.usageDays)
      await notifyExpiringKeys(tx, now())
    })
      .then(() => (config.databaseUrl ? undefined : vacuum(db)))
      .catch((err: unknown) => log.error({ err }, 'housekeeping failed')),
  )

/**
 * Deletes failures outside every window, sessions that expired 30 days ago, API keys that expired 90
 * days ago, devices unused for a year, requests for access answered a year ago, exports older than
 * two days, runs of subscriptions that ended and evaluations of alerts of 90 days ago, guests who were
 * revoked or whose last day was 90 days ago, ended visits, expired links, and old notifications, mail
 * failures and backup runs.
 */
export const deleteExpiredRows = async (db: Db, now: Date): Promise<void> => {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await db
    .deleteFrom('falhaLogin')
    .where('em', '<', before(windowSeconds * 1000))
    .execute()
  await db.deleteFrom('contagemChamadas').where('inicio', '<', before(60_000)).execute()
  await db.deleteFrom('sessao').where('expiraEm', '<', before(sessionsKept)).execute()
  await db.deleteFrom('chaveApi').where('expiraEm', '<', before(keysKept)).execute()
  await db.deleteFrom('linkConta').where('expiraEm', '<=', now).execute()
  await db.deleteFrom('convidadoLink').where('expiraEm', '<=', now).execute()
  await db.deleteFrom('convidadoVisita').where('expiraEm', '<=', now).execute()
  await db
    .deleteFrom('convidado')
    .where((eb) => eb.or([eb('revogadoEm', '<', before(guestsKept)), eb('venceEm', '<', before(guestsKept))]))
    .execute()
  await dropNotifications(db, now)
  await dropMailFailures(db, now)
  await dropOldRuns(db, now)
  await db.deleteFrom('dispositivoConhecido').where('ultimoUso', '<', before(devicesKept)).execute()
  await db.deleteFrom('pedidoAcesso').where('respondidoEm', '<', before(requestsKept)).execute()
  await db.deleteFrom('assinaturaExecucao').where('terminadaEm', '<', before(runsKept)).execute()
  await db
    .deleteFrom('alertaAvaliacao')
    .where('em', '<', before(EVALUATIONS_KEPT_DAYS * day))
    .execute()
  await db.deleteFrom('exportacao').where('pedidaEm', '<', before(exportsKept)).execute()
}
