import type { FastifyBaseLogger } from 'fastify'
import { startWork, type Work, workOff } from '../platform/jobs/work-queue.ts'
import { leaseMsOf, type RunServices, runSchedule } from './run-schedule.ts'
import { type ClaimedRun, claimDueRun } from './schedules.repository.ts'

const minute = 60_000
type Log = Pick<FastifyBaseLogger, 'error'>

/** Replaces the data of reports, one after the other. */
const replacement = (services: RunServices, log: Log): Work<ClaimedRun> => ({
  name: 'scheduled replacement of data',
  everyMs: minute,
  places: 1,
  claim: () => claimDueRun(services.db, leaseMsOf(services)),
  attempt: (run) => runSchedule(services, run, log),
})

/** Runs what is due. */
export const runDueSchedules = (services: RunServices, log: Log): Promise<void> =>
  workOff(replacement(services, log), log)

/** Replaces the data of reports by schedule, in the background. */
export const startDataSchedules = (services: RunServices, log: Log) =>
  startWork(replacement(services, log), log)
