import type { FastifyBaseLogger } from 'fastify'
import { startExpiryNotices } from './access/grants/expiry-notices.job.ts'
import type { AllServices } from './all-services.ts'
import { startFileTidying } from './clinical/attachments/tidy-files.job.ts'
import { startNameSearch } from './clinical/beneficiaries/name-search.job.ts'
import { startCapacityWatch } from './connections/capacities/capacity-watch.job.ts'
import { startLocalConnection } from './connections/connections/local-connection.job.ts'
import { startSecretReading } from './connections/connections/read-secrets.job.ts'
import { startAlerts } from './distribution/alerts/alerts.job.ts'
import { startAnnouncements } from './distribution/announcements/announcements.job.ts'
import { startSubscriptions } from './distribution/subscriptions/subscriptions.job.ts'
import { mailKinds } from './mails.ts'
import { startAuditUpkeep } from './operations/audit/audit-upkeep.job.ts'
import { startScheduledBackups } from './operations/backup/runs/scheduled-backups.job.ts'
import { startHousekeeping } from './operations/housekeeping/housekeeping.job.ts'
import { startSystemWatch } from './operations/system-status/watch-system.job.ts'
import { createMailSender } from './platform/mail/send-mail.ts'
import { startDataSchedules } from './publishing/data-schedules.job.ts'
import { startRefreshWatch } from './reports/freshness/refresh-watch.job.ts'
import { startUsageBacklog } from './reports/usage/usage-backlog.job.ts'

/** Work that runs until it is stopped; `stop` resolves when nothing is in progress any more. */
interface Running {
  stop: () => Promise<void>
}
type Start = (
  services: AllServices,
  log: FastifyBaseLogger,
) => Running | undefined | Promise<Running | undefined>

const startMailSender: Start = (services, log) => {
  const sender = createMailSender(services, log, mailKinds)
  sender.start()
  return { stop: sender.close }
}

/** What must have looked at the stored files before the first call writes one. */
const beforeCalls: Start[] = [startFileTidying, startScheduledBackups]
/** The same where another installation may use the stored files. */
const beforeCallsOnOthersFiles: Start[] = [startScheduledBackups]

/** Everything else that runs by itself. The last one is stopped first. */
const duringCalls: Start[] = [
  startAuditUpkeep,
  startMailSender,
  startLocalConnection,
  startSecretReading,
  startCapacityWatch,
  startRefreshWatch,
  startUsageBacklog,
  startNameSearch,
  startExpiryNotices,
  startDataSchedules,
  startAnnouncements,
  startSubscriptions,
  startAlerts,
  startHousekeeping,
  startSystemWatch,
]

/**
 * Starts the background work in two parts, and stops all of it.
 * @param ownsFiles whether no other installation uses the store of files
 */
export const createBackground = (
  services: AllServices,
  log: FastifyBaseLogger,
  { ownsFiles }: { ownsFiles: boolean },
) => {
  const running: Running[] = []
  const startAll = async (starts: Start[]): Promise<void> => {
    for (const start of starts) {
      const started = await start(services, log)
      if (started) running.push(started)
    }
  }
  return {
    startBeforeCalls: () => startAll(ownsFiles ? beforeCalls : beforeCallsOnOthersFiles),
    startDuringCalls: () => startAll(duringCalls),
    stop: async (): Promise<void> => {
      for (const { stop } of running.reverse()) await stop()
    },
  }
}
