import { inTransaction } from '../../db/in-transaction.ts'
import { beginDueRuns, beginRunsAfterRefresh } from './begin-runs.ts'
import { closeRuns } from './close-runs.ts'
import { claimFile, claimRun } from './leases.ts'
import { makeFile } from './make-file.ts'
import { prepareRun } from './prepare-run.ts'
import type { Log, SubscriptionServices } from './step.ts'

export type { SubscriptionServices }

/**
 * Does what is due for subscriptions: begins runs, prepares them, makes their files, and ends them.
 * Each step is a transaction that may be repeated, so that a process may die at any time; several
 * processes share the steps.
 */
export const workSubscriptions = async (
  services: SubscriptionServices,
  log: Log,
  stopped?: AbortSignal,
): Promise<void> => {
  const { db } = services
  const mayGoOn = () => !stopped?.aborted
  while (mayGoOn() && (await beginDueRuns(db))) {}
  while (mayGoOn() && (await beginRunsAfterRefresh(db))) {}
  while (mayGoOn()) {
    const run = await claimRun(db)
    if (!run) break
    await prepareRun(services, run, log)
  }
  while (mayGoOn()) {
    const file = await inTransaction(db, (tx) => claimFile(tx))
    if (!file) break
    await makeFile(services, file, log)
  }
  if (mayGoOn()) await closeRuns(services)
}
