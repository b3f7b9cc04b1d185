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
import { dropOldRuns } from '../backup/runs/backup-runs.ts'

const hour = 3_600_000
const day = 24 * hour
/** After they expired. */
const SESSIONS_KEPT = 30 * day
const API_KEYS_KEPT = 90 * day
/** After their last use: a sign-in from an unknown device is notified. */
const DEVICES_KEPT = 365 * day
/** After the answer to a request for access. */
const REQUESTS_KEPT = 365 * day
/** Longer than the provider keeps the exported files. */
const EXPORTS_KEPT = 2 * day
/** After the end of a run of a subscription. */
const RUNS_KEPT = 90 * day
/** After a guest was revoked, or their last day. */
const GUESTS_KEPT = 90 * day

/** Deletes expired rows every hour, in one process at a time. */
export const startHousekeeping = (
  { config, db, now }: Pick<Services, 'config' | 'db' | 'now'>,
  log: Pick<FastifyBaseLogger, 'error'>,
) =>
  startRepeating({ name: 'housekeeping', everyMs: hour, log }, async () => {
    await runExclusively(db, 'housekeeping', async (tx) => {
      await deleteExpiredRows(tx, now())
      await deleteExpiredUsage(tx, now(), config.usageDays)
      await notifyExpiringKeys(tx, now())
    })
    if (!config.databaseUrl) await vacuum(db)
  })

/** Deletes the rows that were kept for the times above, and expired links, visits and counts. */
export const deleteExpiredRows = async (db: Db, now: Date): Promise<void> => {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await db
    .deleteFrom('falhaLogin')
    .where('em', '<', before(windowSeconds * 1000))
    .execute()
  await db.deleteFrom('contagemChamadas').where('inicio', '<', before(60_000)).execute()
  await db.deleteFrom('sessao').where('expiraEm', '<', before(SESSIONS_KEPT)).execute()
  await db.deleteFrom('chaveApi').where('expiraEm', '<', before(API_KEYS_KEPT)).execute()
  await db.deleteFrom('linkConta').where('expiraEm', '<=', now).execute()
  await db.deleteFrom('convidadoLink').where('expiraEm', '<=', now).execute()
  await db.deleteFrom('convidadoVisita').where('expiraEm', '<=', now).execute()
  await db
    .deleteFrom('convidado')
    .where((eb) =>
      eb.or([eb('revogadoEm', '<', before(GUESTS_KEPT)), eb('venceEm', '<', before(GUESTS_KEPT))]),
    )
    .execute()
  await dropNotifications(db, now)
  await dropMailFailures(db, now)
  await dropOldRuns(db, now)
  await db.deleteFrom('dispositivoConhecido').where('ultimoUso', '<', before(DEVICES_KEPT)).execute()
  await db.deleteFrom('pedidoAcesso').where('respondidoEm', '<', before(REQUESTS_KEPT)).execute()
  await db.deleteFrom('assinaturaExecucao').where('terminadaEm', '<', before(RUNS_KEPT)).execute()
  await db
    .deleteFrom('alertaAvaliacao')
    .where('em', '<', before(EVALUATIONS_KEPT_DAYS * day))
    .execute()
  await db.deleteFrom('exportacao').where('pedidaEm', '<', before(EXPORTS_KEPT)).execute()
}
