import { constants, setPriority } from 'node:os'
import { answerContained } from '@bi-manager/telemetry/answer-contained'
import { openDatabase } from '../../../platform/db/open-database.ts'
import { type OutboundRoutes, routeThroughProxy } from '../../../platform/lib/outbound.ts'
import { type BackupJob, type MadeBackup, makeBackup } from '../archive/make-backup.ts'
import { reasonOf } from '../contents/backup-failure.ts'

interface Job extends BackupJob {
  sourceDir: string
  outbound: OutboundRoutes
}

export type BackupReply = { made: MadeBackup } | { failure: string; stack?: string | undefined }

/*
 * Makes one backup in a separate process with lower priority, so that its memory and processor use
 * do not affect the portal. It ends with the portal.
 */

setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
await answerContained(async ({ sourceDir, outbound, ...job }: Job): Promise<BackupReply> => {
  try {
    routeThroughProxy(outbound)
    const { databaseUrl } = job.config
    const db = await openDatabase({ dataDir: sourceDir, databaseUrl, onError: () => {} })
    const made = await makeBackup(db, job)
    await db.destroy()
    return { made }
  } catch (error) {
    return { failure: reasonOf(error), stack: (error as Error).stack }
  }
})
