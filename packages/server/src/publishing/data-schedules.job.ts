import type { FastifyBaseLogger } from 'fastify'
import { readInstallation } from '../platform/installation/test-environment.ts'
import { startRepeating } from '../platform/jobs/repeat.ts'
import { leaseMsOf, type RunServices, runSchedule } from './run-schedule.ts'
import { claimDueRun, listDueSchedules } from './schedules.repository.ts'

const minute = 60_000

/** Runs per look; the others wait for the next one. */
const runsPerLook = 10

/** Replaces the data of reports by schedule, in the background. */
export const startDataSchedules = (
  services: RunServices,
  log: Pick<FastifyBaseLogger, 'error'>,
): { stop: () => Promise<void> } =>
  startRepeating(minute, (stopped) =>
    runDueSchedules(services, log, stopped).catch((err: unknown) =>
      log.error({ err }, 'the schedules of data failed'),
    ),
  )

/** Runs what is due, one after the other; of several processes, one runs each. */
export const runDueSchedules = async (
  services: RunServices,
  log: Pick<FastifyBaseLogger, 'error'>,
  stopped?: AbortSignal,
): Promise<void> => {
  const { db } = services
  // A restored copy knows the credentials of production's report service.
  if ((await readInstallation(db)).ensaio) return
  for (const row of await listDueSchedules(db, runsPerLook)) {
    if (stopped?.aborted) return
    const run = await claimDueRun(db, row, leaseMsOf(services))
    if (run) await runSchedule(services, run, log)
  }
}
