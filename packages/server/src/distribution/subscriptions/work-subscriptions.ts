import { inTransaction } from '../../platform/db/in-transaction.ts'
import { beginDueRuns, beginRunsAfterRefresh } from './begin-runs.ts'
import { closeRuns } from './close-runs.ts'
import { claimFile, claimRun } from './leases.ts'
import { makeFile } from './make-file.ts'
import { prepareRun } from './prepare-run.ts'
import type { Log, SubscriptionServices } from './step.ts'

export type { SubscriptionServices }

/**
 * Runs that one process prepares together. They mostly wait for the provider, and must begin within
 * seconds when many are due in the same minute.
 */
const RUNS_AT_ONCE = 12

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
  const prepare = async (atOnce: number): Promise<void> => {
    const run = mayGoOn() ? await claimRun(db) : undefined
    if (!run) return
    const outcomes = await Promise.allSettled([
      prepareRun(services, run, log).then(() => prepare(1)),
      atOnce > 1 ? prepare(atOnce - 1) : undefined,
    ])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
  await prepare(RUNS_AT_ONCE)
}

/** Makes the files of runs, one step after the other, and ends the runs that are sent. */
export const makeDueFiles = async (
  services: SubscriptionServices,
  log: Log,
  stopped?: AbortSignal,
): Promise<void> => {
  const { db } = services
  const mayGoOn = () => !stopped?.aborted
  while (mayGoOn()) {
    const file = await inTransaction(db, (tx) => claimFile(tx))
    if (!file) break
    await makeFile(services, file, log)
  }
  if (mayGoOn()) await closeRuns(services)
}

/** Does what is due for subscriptions once. */
export const workSubscriptions = async (...given: Parameters<typeof prepareDueRuns>): Promise<void> => {
  await prepareDueRuns(...given)
  await makeDueFiles(...given)
}
