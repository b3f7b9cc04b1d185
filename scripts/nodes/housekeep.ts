import { setTimeout } from 'node:timers/promises'
import { deleteExpiredRows } from '../../packages/server/src/operations/housekeeping/housekeeping.job.ts'
import { openDatabase } from '../../packages/server/src/platform/db/open-database.ts'
import { runExclusively } from '../../packages/server/src/platform/jobs/run-exclusively.ts'

/*
 * Does the hourly housekeeping of a node at the time given as argument (milliseconds since the
 * epoch), for at least two seconds. Prints whether it ran here.
 */

const databaseUrl = process.env.DATABASE_URL
const db = await openDatabase({ dataDir: '', databaseUrl, onError: console.error })
await setTimeout(Number(process.argv[2]) - Date.now())
const ran = await runExclusively(db, 'housekeeping', async (tx) => {
  await deleteExpiredRows(tx, new Date())
  await setTimeout(2_000)
})
console.log(ran)
await db.destroy()
