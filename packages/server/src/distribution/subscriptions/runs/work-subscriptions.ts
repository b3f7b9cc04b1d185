import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import { advanceFile } from './advance-file.ts'
import { beginDueRuns, beginRunsAfterRefresh } from './begin-runs.ts'
import { closeRuns } from './close-runs.ts'
import { claimFile, claimRun } from './leases.ts'
import { prepareRun } from './prepare-run.ts'
import type { Log, SubscriptionServices } from './step.ts'

export type { SubscriptionServices }

/**
 * Runs that one process prepares together. They mostly wait for the provider, and must begin within
 * seconds when many are due in the same minute.
 */
const MAX_WORKERS = 12

/*
 * Each step is a transaction that may be repeated, so that a process may die at any time; several
 * processes share the steps.
 */

/** Begins the runs that are due, and prepares them. */
export const prepareDueRuns = async (
  services: SubscriptionServices,
  log: Log,
  stopped?: AbortSignal,
): Promise<void> => {
  const { db } = services
  const mayGoOn = () => !stopped?.aborted
  while (mayGoOn() && (await beginDueRuns(db))) {}
  while (mayGoOn() && (await beginRunsAfterRefresh(db))) {}
  // A worker prepares runs until none is due. When it gets its first run, it starts another worker: a
  // look without due runs claims once, not `MAX_WORKERS` times.
  const work = async (otherWorkers: number): Promise<void> => {
    const run = mayGoOn() ? await claimRun(db) : undefined
    if (!run) return
    const outcomes = await Promise.allSettled([
      prepareRun(services, run, log).then(() => work(0)),
      otherWorkers > 0 ? work(otherWorkers - 1) : undefined,
    ])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
  await work(MAX_WORKERS - 1)
}

/** Does the due steps of files, one after the other, and ends the runs whose e-mails all ended. */
export const makeFilesAndCloseRuns = async (
  services: SubscriptionServices,
  log: Log,
  stopped?: AbortSignal,
): Promise<void> => {
  const { db } = services
  const mayGoOn = () => !stopped?.aborted
  while (mayGoOn()) {
    const file = await inTransaction(db, (tx) => claimFile(tx))
    if (!file) break
    await advanceFile(services, file, log)
  }
  if (mayGoOn()) await closeRuns(services)
}

/** Does what is due for subscriptions once. */
export const workSubscriptions = async (...given: Parameters<typeof prepareDueRuns>): Promise<void> => {
  await prepareDueRuns(...given)
  await makeFilesAndCloseRuns(...given)
}
