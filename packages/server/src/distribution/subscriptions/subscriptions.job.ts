import { startWork, type Work, workOff } from '../../platform/jobs/work-queue.ts'
import { advanceFile } from './runs/advance-file.ts'
import { beginDueRuns, beginRunsAfterRefresh } from './runs/begin-runs.ts'
import { closeRuns } from './runs/close-runs.ts'
import { prepareRun } from './runs/prepare-run.ts'
import { type ClaimedFile, type ClaimedRun, claimFiles, claimRuns } from './runs/run-queues.ts'
import type { Log, SubscriptionServices } from './runs/step.ts'

/**
 * Runs that one process prepares together. They mostly wait for the provider, and must begin within
 * seconds when many are due in the same minute.
 */
const RUNS_AT_ONCE = 12

/** Milliseconds. A file that is being made is looked at this often. */
const lookEvery = 2_000

/** Begins the runs that are due, and prepares them. */
const preparation = (services: SubscriptionServices, log: Log): Work<ClaimedRun> => ({
  name: 'preparation of subscriptions',
  everyMs: lookEvery,
  places: RUNS_AT_ONCE,
  before: async (stopped) => {
    while (!stopped.aborted && (await beginDueRuns(services.db))) {}
    while (!stopped.aborted && (await beginRunsAfterRefresh(services.db))) {}
  },
  claim: (limit) => claimRuns(services.db, limit),
  attempt: (run) => prepareRun(services, run, log),
})

/** Does the due steps of files, one after the other, and ends the runs whose e-mails all ended. */
const fileSteps = (services: SubscriptionServices, log: Log): Work<ClaimedFile> => ({
  name: 'making of files of subscriptions',
  everyMs: lookEvery,
  places: 1,
  claim: () => claimFiles(services.db),
  attempt: (file) => advanceFile(services, file, log),
  after: () => closeRuns(services),
})

/** Does what is due for subscriptions once. */
export const workSubscriptions = async (
  services: SubscriptionServices,
  log: Log,
  stopped?: AbortSignal,
): Promise<void> => {
  await workOff(preparation(services, log), log, stopped)
  await workOff(fileSteps(services, log), log, stopped)
}

/** Sends subscriptions in the background. A file that takes long delays no start of another run. */
export const startSubscriptions = (services: SubscriptionServices, log: Log) => {
  const started = [startWork(preparation(services, log), log), startWork(fileSteps(services, log), log)]
  return { stop: async () => void (await Promise.all(started.map(({ stop }) => stop()))) }
}
