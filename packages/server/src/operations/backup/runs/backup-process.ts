import { constants, setPriority } from 'node:os'
import { openDatabase } from '../../../platform/db/open-database.ts'
import { type OutboundRoutes, routeThroughProxy } from '../../../platform/lib/outbound.ts'
import { type BackupJob, makeBackup } from '../archive/make-backup.ts'
import { reasonOf } from '../contents/backup-failure.ts'

interface Job extends BackupJob {
  sourceDir: string
  outbound: OutboundRoutes
}

/*
 * Makes one backup in a separate process with lower priority, so that its memory and processor use
 * do not affect the portal. It ends with the portal.
 */

setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.once('disconnect', () => process.exit(1))
process.once('message', (job: Job) => {
  void work(job).then((reply) => process.send?.(reply, () => process.exit(0)))
})

async function work({ sourceDir, outbound, ...job }: Job) {
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
}
